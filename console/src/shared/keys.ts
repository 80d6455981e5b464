/** The keys of a table in the code, distinguished from words that came from elsewhere by its own type. */

export const isKeyOf = <T extends object>(table: T, key: PropertyKey): key is keyof T => Object.hasOwn(table, key)

export const keysOf = <T extends object>(table: T): (keyof T & string)[] =>
  Object.keys(table).filter((key): key is keyof T & string => isKeyOf(table, key))
