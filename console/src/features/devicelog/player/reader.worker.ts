/** Reads recordings apart from the page, which stays quick whatever a recording holds. */
import { write } from './messages/fields'
import { bitmapOf } from './messages/pictures'
import type { Answers, Kind, Question, Reply, Source } from './protocol'
import { AddressEnded, readRanges } from './ranges'
import { RecordingReader } from './reader'

let open: { url: string; reader: Promise<RecordingReader> } | undefined

/** It stays open for as long as its address is the same. */
function readerOf({ url, start, end }: Source): Promise<RecordingReader> {
  if (open?.url !== url) open = { url, reader: RecordingReader.open(readRanges(url), start, end) }
  return open.reader
}

async function answer(question: Question): Promise<Answers[Kind]> {
  const reader = await readerOf(question.source)
  switch (question.kind) {
    case 'fields':
      return reader.fields(question.topic)
    case 'series':
      return reader.series(question.topic, question.path)
    case 'places':
      return reader.places(question.topic, question.type)
    case 'scan':
      return (await reader.scan(question.topic, question.second)) ?? null
    case 'picture': {
      const picture = await reader.picture(question.topic, question.second)
      return picture ? bitmapOf(picture) : null
    }
    case 'message': {
      const message = await reader.message(question.topic, question.second)
      return message === undefined ? null : write(message)
    }
  }
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const { number } = data
  const reply = (rest: Omit<Reply, 'number'>, transfer: Transferable[] = []) =>
    self.postMessage({ number, ...rest }, { transfer })
  try {
    const done = await answer(data)
    reply({ answer: done }, done instanceof ImageBitmap ? [done] : [])
  } catch (fault) {
    reply({ fault: String(fault), stale: fault instanceof AddressEnded })
  }
}
