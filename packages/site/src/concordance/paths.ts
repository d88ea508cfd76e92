/** The path of the page that asks for a translation and a word. */
export const concordancePath = '/concordance';
export const concordanceSignInPath = '/concordance/sign-in';
export const concordanceSignOutPath = '/concordance/sign-out';

/** Returns the path of the page of a word. */
export const wordPath = (translation: string, word: string): string =>
  `${concordancePath}/${encodeURIComponent(translation)}/${encodeURIComponent(word)}`;

/** For redirects after sign-in. A browser resolves the word `..`, but stays on this site. */
export const isConcordancePath = (path: string): boolean =>
  path === concordancePath || /^\/concordance\/[a-z0-9-]{1,100}\/[\w%~.!'()*-]{1,1200}$/.test(path);

export const safeReturnPath = (path: string): string => (isConcordancePath(path) ? path : concordancePath);

/** Returns null for other segments, malformed percent-encoding, or an impossible translation. */
export function parseWordPath(path: string): { translation: string; word: string } | null {
  const [, page, translation = '', word = '', ...rest] = path.split('/');
  if (`/${page}` !== concordancePath || word === '' || rest.length > 0) return null;
  if (!/^[\w-]{1,100}$/.test(translation)) return null;
  try {
    return { translation, word: decodeURIComponent(word) };
  } catch {
    return null;
  }
}
