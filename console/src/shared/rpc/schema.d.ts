/** Replaced by `npm run gen` as soon as the server tells its contract. */
// biome-ignore lint/suspicious/noExplicitAny: open until generated
type Open = any
export interface paths {
  [path: `/api/${string}`]: {
    post: {
      requestBody: { content: { 'application/json': Open } }
      responses: { 200: { content: { 'application/json': { data?: Open } } } }
    }
  }
}
