/** Words for the sensors and parts that robots name; one that is not known keeps the robot's own name. */
const SENSORS = {
  sonar_front: 'sensor-sonar-front',
  sonar_left: 'sensor-sonar-left',
  sonar_back: 'sensor-sonar-back',
  sonar_right: 'sensor-sonar-right',
  bumper: 'sensor-bumper',
  wheel_speed: 'sensor-wheel-speed',
  turn_rate: 'sensor-turn-rate',
  heading: 'sensor-heading',
  battery_voltage: 'sensor-battery-voltage',
  battery_charging: 'charging',
  disinfectant: 'disinfectant',
  clean_water: 'clean-water',
} as const

const PARTS = {
  lidar: 'legend-lidar',
  upper_lidar: 'part-upper-lidar',
  depth_camera: 'part-depth-camera',
  odometer: 'part-odometer',
  imu: 'part-imu',
  serial: 'part-serial',
  wheels: 'part-wheels',
  pump: 'robot:utility-pump',
  charger: 'part-charger',
} as const

export const sensorWord = (id: string) => (id in SENSORS ? SENSORS[id as keyof typeof SENSORS] : undefined)
export const partWord = (name: string) => (name in PARTS ? PARTS[name as keyof typeof PARTS] : undefined)
