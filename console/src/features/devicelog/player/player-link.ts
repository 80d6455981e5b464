/** The page's end of the worker. An address that has ended is asked for anew, once for each question. */
import type { Answers, Kind, Questions, Reply, Source } from './protocol'

interface Waiting {
  done(reply: Reply): void
}

export class PlayerLink {
  private readonly worker = new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' })
  private readonly waiting = new Map<number, Waiting>()
  private last = 0

  constructor(
    private source: Source,
    private readonly renew: () => Promise<Source>,
  ) {
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      this.waiting.get(data.number)?.done(data)
      this.waiting.delete(data.number)
    }
  }

  private send<K extends Kind>(kind: K, question: Questions[K]): Promise<Reply> {
    this.last += 1
    const number = this.last
    return new Promise((done) => {
      this.waiting.set(number, { done })
      this.worker.postMessage({ number, kind, source: this.source, ...question })
    })
  }

  async ask<K extends Kind>(kind: K, question: Questions[K]): Promise<Answers[K]> {
    let reply = await this.send(kind, question)
    if (reply.stale) {
      this.source = await this.renew()
      reply = await this.send(kind, question)
    }
    if (reply.fault !== undefined) throw new Error(reply.fault)
    return reply.answer as Answers[K]
  }

  end() {
    this.worker.terminate()
  }
}
