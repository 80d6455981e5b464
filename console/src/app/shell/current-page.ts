/** The page that the location shows: its entry in the list, its tab's key, its own subject. */
import { useLocation, useMatches } from 'react-router'
import { useSubjects } from '@/shared/ui/subject'
import type { Page } from '../pages/page'

const isPage = (handle: unknown): handle is Page => typeof handle === 'object' && handle !== null && 'title' in handle

export function useCurrentPage() {
  const { pathname, search } = useLocation()
  const key = pathname.replace(/(.)\/+$/, '$1')
  const page = useMatches()
    .map((match) => match.handle)
    .find(isPage)
  const subject = useSubjects((all) => all[key])
  return { key, href: key + search, page, subject }
}
