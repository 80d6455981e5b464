/** The query of the page's address, changed in its place: going back leaves the page. */
import { useSearchParams } from 'react-router'

export function useParams() {
  const [params, setParams] = useSearchParams()
  const change = (write: (next: URLSearchParams) => void) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        write(next)
        return next
      },
      { replace: true },
    )
  return { params, change }
}

/** The number that a parameter names a row by; undefined where it is none. */
export function readId(text: string | null) {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}
