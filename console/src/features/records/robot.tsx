/** The robot of a record: its name, and its serial number below. */
interface Named {
  readonly deviceCode: string
  readonly deviceSerialNumber: string
}

export const Robot = ({ row }: { row: Named }) => (
  <>
    <bdi>{row.deviceCode}</bdi>
    <small>
      <bdi dir="ltr">{row.deviceSerialNumber}</bdi>
    </small>
  </>
)
