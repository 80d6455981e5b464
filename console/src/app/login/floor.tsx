/** A floor half cleaned: where the robot was, where it will go. A drawing, no data of the installation. */

import floor from './floor.json'
import styles from './floor.module.css'

export function Floor() {
  return (
    <svg className={styles.floor} viewBox="0 0 1000 900" aria-hidden="true">
      <g transform="translate(96 150) rotate(-8 460 260)">
        <path d={floor.outline} className={styles.ground} />
        {floor.cleaned.map((d) => (
          <path key={d} d={d} className={styles.cleaned} />
        ))}
        {floor.cleaned.map((d) => (
          <path key={d} d={d} className={styles.lane} />
        ))}
        <path d={floor.planned} className={styles.planned} />
        <g className={styles.furniture}>
          {floor.tables.map(([x, y, width, height, rx]) => (
            <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} rx={rx} />
          ))}
          {floor.seats.map(([cx, cy, r]) => (
            <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r={r} />
          ))}
        </g>
        {floor.lifts.map(([x, y]) => (
          <g key={x} className={styles.lift} transform={`translate(${x} ${y})`}>
            <rect width="38.4" height="40.3" />
            <path d="M0 0l38.4 40.3M38.4 0L0 40.3" />
          </g>
        ))}
        <g className={styles.wall}>
          <path d={floor.walls} />
          <path d={floor.outline} className={styles.outer} />
        </g>
        <g transform="translate(437.8 355.2)" className={styles.robot}>
          <circle r="20.9" opacity=".14" />
          <path d="M14.1 -5.5L21.4 0L14.1 5.5z" />
          <circle r="11" className={styles.body} />
          <path d="M3.7 -7.3A8.1 8.1 0 0 1 3.7 7.3" className={styles.brush} />
          <circle cx="-2.4" r="2.6" className={styles.eye} />
        </g>
      </g>
    </svg>
  )
}
