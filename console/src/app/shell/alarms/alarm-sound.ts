/** The sound of a new alarm: two short tones. Browsers play none before the page is touched. */

const TONES = [880, 660] // Hz
const TONE_S = 0.18
const LOUD = 0.2
const SILENT = 0.0001

let context: AudioContext | undefined

export function playAlarm() {
  context ??= new AudioContext()
  void context.resume()
  const begin = context.currentTime
  for (const [nth, tone] of TONES.entries()) {
    const wave = context.createOscillator()
    const gain = context.createGain()
    const at = begin + nth * TONE_S
    wave.frequency.value = tone
    gain.gain.setValueAtTime(LOUD, at)
    gain.gain.exponentialRampToValueAtTime(SILENT, at + TONE_S)
    wave.connect(gain).connect(context.destination)
    wave.start(at)
    wave.stop(at + TONE_S)
  }
}
