export interface StartupMessageOptions {
  url: string;
  /** The key issued at this start; null when there was one before. */
  token: string | null;
  /** Whether there are good keys of this environment. */
  hasKeys: boolean;
  environment: string;
  /** Where the keys lie, where that is not where the command looks by itself; null where it is. */
  dataDir: string | null;
}

const firstQuery = '{ verse(book: "John", chapter: 3, verse: 16) { reference text } }';

/** What a person sees when the service is up: where it is, the key, and a line that works when pasted. */
export function startupMessage({ url, token, hasKeys, environment, dataDir }: StartupMessageOptions): string {
  const curl = `curl -s ${url} -H "Authorization: Bearer ${token ?? '$LECTERN_KEY'}" -H "Content-Type: application/json" -d '${JSON.stringify({ query: firstQuery })}'`;
  const issue = `npm run keys -- issue --email you@example.org --name You${environment === 'test' ? '' : ` --environment ${environment}`}${dataDir === null ? '' : ` --data '${dataDir.replaceAll("'", "'\\''")}'`}`;
  const key =
    token === null
      ? `Keys      ${hasKeys ? 'were issued before and are not shown again. Another' : `of the ${environment} environment are issued on purpose only, and there is none yet`}: ${issue}`
      : `Key       ${token}\n          (${environment}; shown this once, so keep it)`;
  return `\nLectern is up. Ctrl-C stops it.\n\nEndpoint  ${url}\nExplorer  ${new URL('/explorer', url).href}\n${key}\n\nA first query${token === null ? ', with LECTERN_KEY set to your key' : ''}:\n\n${curl}\n`;
}
