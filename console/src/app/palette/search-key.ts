/** Preference: the key S opens the palette, too; off until somebody wants it. */
export const SEARCH_KEY = 'searchKey'
