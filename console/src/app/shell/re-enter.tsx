/** /refresh starts the current view anew; /redirect/<path> enters that path without what was kept of it. */
import { useEffect } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { refreshPage, useViews } from '../tabs/tabs'

export function Refresh() {
  const navigate = useNavigate()
  useEffect(() => {
    const { key, href } = useViews.getState().last
    refreshPage(key)
    void navigate(href, { replace: true })
  }, [navigate])
  return null
}

export function Redirect() {
  const navigate = useNavigate()
  const path = `/${useParams()['*'] ?? ''}`
  const { search } = useLocation()
  useEffect(() => {
    refreshPage(path)
    void navigate(path + search, { replace: true })
  }, [navigate, path, search])
  return null
}
