/** Whether new alarms are shown as they come, and have a sound: a choice of this browser. Sound is active only while they are visible. */
import { create } from 'zustand'

export interface AlarmChoice {
  readonly visible: boolean
  readonly sound: boolean
}

const KEY = 'alarms'

function read(): AlarmChoice {
  try {
    const stored: Partial<AlarmChoice> = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return { visible: stored.visible === true, sound: stored.sound === true }
  } catch {
    return { visible: false, sound: false }
  }
}

export const useAlarmChoice = create<AlarmChoice>(read)

export function chooseAlarms(part: Partial<AlarmChoice>) {
  useAlarmChoice.setState(part)
  localStorage.setItem(KEY, JSON.stringify(useAlarmChoice.getState()))
}

/** What has a sound: hidden alarms have no sound, whatever was chosen for it. */
export const hears = ({ visible, sound }: AlarmChoice) => visible && sound
