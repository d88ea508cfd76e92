/** A change of the API: one entry of the section "API" of CHANGELOG.md. */
export interface ApiChange {
  /** The date of the entry, as YYYY-MM-DD. */
  readonly date: string;
  /** The text, with inline code between backticks and without other Markdown. */
  readonly text: string;
  /**
   * The schema coordinates that an entry announces for a change or deprecates:
   * `Mutation.testField`, `Query.search(limit:)`. Empty for other entries.
   */
  readonly coordinates: readonly string[];
}

export interface Release {
  /** The version, or `Unreleased`. */
  readonly name: string;
  /** The date of the release, as YYYY-MM-DD. Null before the release. */
  readonly date: string | null;
  readonly changes: readonly ApiChange[];
}

const entryForm = '`- YYYY-MM-DD: What changed.`';

/**
 * Reads the section "API" of each release of CHANGELOG.md, in the order of the file. Throws if a
 * date or the form of an entry is invalid, with the number of the line, and if the file has no
 * entry.
 */
export function parseChangelog(markdown: string): Release[] {
  const releases: { name: string; date: string | null; changes: ApiChange[] }[] = [];
  let isApi = false;
  for (const { line, number } of itemsAndHeadings(markdown)) {
    const [, name, date = null] = /^## (\S+)(?: - (\S+))?$/.exec(line) ?? [];
    if (name !== undefined) {
      if (date !== null && !isDate(date)) throw lineError(number, `'${date}' is not a date of the form YYYY-MM-DD`);
      releases.push({ name, date, changes: [] });
    }
    if (line.startsWith('#')) isApi = line === '### API';
    else if (isApi) releases.at(-1)?.changes.push(parseEntry(line, number));
  }
  if (releases.every(({ changes }) => changes.length === 0))
    throw new Error('CHANGELOG.md has no entry under "### API"');
  return releases;
}

/**
 * Returns each heading and list item on one line, with the number of its first line in the file.
 */
function itemsAndHeadings(markdown: string): { line: string; number: number }[] {
  const found: { line: string; number: number }[] = [];
  for (const [index, line] of markdown.split('\n').entries()) {
    const last = found.at(-1);
    if (/^(#|- )/.test(line)) found.push({ line: line.trimEnd(), number: index + 1 });
    else if (/^ {2}\S/.test(line) && last?.line.startsWith('- ')) last.line += ` ${line.trim()}`;
  }
  return found;
}

function parseEntry(item: string, number: number): ApiChange {
  const [, date = '', markdown = ''] = /^- (\d{4}-\d\d-\d\d): (\S.*)$/.exec(item) ?? [];
  if (!isDate(date)) throw lineError(number, `an entry of the section "API" has the form ${entryForm}`);
  const text = markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return { date, text, coordinates: /^(Announced|Deprecated)\b/.test(text) ? coordinatesIn(text) : [] };
}

const coordinatesIn = (text: string): string[] =>
  [...text.matchAll(/`([A-Z]\w*\.\w+(?:\(\w+:\))?)`/g)].map(([, coordinate = '']) => coordinate);

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const lineError = (number: number, problem: string): Error => new Error(`CHANGELOG.md, line ${number}: ${problem}`);
