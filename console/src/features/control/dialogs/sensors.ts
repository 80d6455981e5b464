/** Words for the sensors and parts that robots name; one that is not known keeps the robot's own name. */
import { isKeyOf } from '@/shared/keys'

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

export const sensorWord = (id: string) => (isKeyOf(SENSORS, id) ? SENSORS[id] : undefined)
export const partWord = (name: string) => (isKeyOf(PARTS, name) ? PARTS[name] : undefined)
