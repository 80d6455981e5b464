/** A link that looks like a button: opens in the page, and in a new tab with the middle button. */
import type { MouseEvent } from 'react'
import { useHref, useNavigate } from 'react-router'
import { ButtonLink, type ButtonLinkProps } from '@/shared/controls/button'

interface Props extends Omit<ButtonLinkProps, 'href' | 'onClick'> {
  to: string
}

export function LinkButton({ to, ...rest }: Props) {
  const go = useNavigate()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    void go(to)
  }
  return <ButtonLink {...rest} href={useHref(to)} onClick={follow} />
}
