/** The bow: the back-and-forth line of a cleaning robot. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="9" fill="var(--brand)" />
      <path
        d="M8 9.5h12.4a3.3 3.3 0 0 1 0 6.6H11.6a3.3 3.3 0 0 0 0 6.6H20"
        fill="none"
        stroke="var(--on-brand)"
        strokeWidth="3.2"
        strokeLinecap="round"
      />
      <circle cx="24.4" cy="22.7" r="2.3" fill="var(--on-brand)" />
    </svg>
  )
}
