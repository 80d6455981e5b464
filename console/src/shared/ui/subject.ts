/** What a page itself says that it shows (a robot's name): tabs, breadcrumbs and the title take it from here. */
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { create } from 'zustand'

export const useSubjects = create<Readonly<Record<string, string>>>(() => ({}))

export function useSubject(subject: string | undefined) {
  const { pathname } = useLocation()
  useEffect(() => {
    if (subject) useSubjects.setState({ [pathname]: subject })
  }, [pathname, subject])
}
