const countOf = (count, noun, plural = 's') => `${count} ${noun}${count === 1 ? '' : plural}`;

const formatPlace = ({ file, line, subgraph }) =>
  `${file ?? 'supergraph.yaml'}${line === null ? '' : `:${line}`} (${subgraph})`;
const formatPlaces = (places) => (places.length === 0 ? 'no subgraph' : places.map(formatPlace).join(', '));

const changeLine = ({ places, message }) => `  ${formatPlaces(places)}: ${message}`;
const operationLine = ({ file, line, operation, message }) =>
  `  ${file}:${line}${operation ? ` (${operation})` : ''}: ${message}`;

const droppedLine = ({ places, path, subgraph, others }) =>
  `  ${formatPlaces(places)}: '${path}'. If ${subgraph} returns the object, the field needs another fetch, from ${others.join(' or ')}`;
const fetchesLines = ({ file, line, operation, before, now, allowed }) => [
  `  ${file}:${line}${operation ? ` (${operation})` : ''}: ${countOf(now, 'fetch', 'es')}, ${before} before`,
  ...(allowed ? [`    Allowed until ${allowed.until}: ${allowed.reason}`] : []),
];

/**
 * Returns the lines of a section: a blank line, the heading and `lines`. Returns an empty array if
 * `lines` is empty.
 */
const section = (heading, lines) => (lines.length === 0 ? [] : ['', heading, ...lines]);

/** Formats the report of check-schema.mjs as lines of text. */
export function formatReport(report, allowedBreaksFile, subject = 'The schema of this working tree') {
  const { against, breaking, dangerous, safe, operations, passes } = report;
  const rejected = breaking.filter(({ allowed }) => !allowed);
  const tooManyFetches = report.moreFetches.filter(({ excess }) => excess);
  const allowed = breaking.filter((change) => change.allowed);
  return [
    `${subject}, compared with ${against.join(' and ')}:`,
    ...changeSections({ rejected, allowed, dangerous, safe }),
    ...operationSections(report),
    ...allowanceSections(report.allowances, allowedBreaksFile),
    '',
    `${countOf(rejected.length, 'breaking change')}, ${allowed.length} allowed, ${dangerous.length} dangerous, ${safe.length} safe; ${countOf(operations.count, 'client operation')} in ${countOf(operations.files.length, 'file')}.`,
    ...(rejected.length === 0
      ? []
      : [
          '',
          `Keep the old element, deprecate it and add the new one. To allow an agreed break until a day, add to ${allowedBreaksFile}:`,
          ...rejected.flatMap(allowanceExample),
        ]),
    ...(tooManyFetches.length === 0
      ? []
      : [
          '',
          `Keep the fields where the operations read them (@shareable), or move them in steps. To allow an agreed growth, pass --max-fetches-growth, or add to ${allowedBreaksFile}:`,
          ...tooManyFetches.flatMap(allowanceExample),
        ]),
    '',
    passes ? 'Passed: no client breaks.' : verdict(report),
  ];
}

/** Fetches alone break no client: the same responses take longer. */
function verdict({ breaking, operations, allowances }) {
  const breaks = breaking.some(({ allowed }) => !allowed) || operations.errors.length + allowances.errors.length > 0;
  return breaks ? 'Failed: the schema breaks clients.' : 'Failed: client operations need too many more fetches.';
}

const changeSections = ({ rejected, allowed, dangerous, safe }) => [
  ...section(
    countOf(rejected.length, 'breaking change'),
    rejected.flatMap((change) => [
      changeLine(change),
      `    Promised by ${change.against.join(' and ')}.${change.reason ? ` ${change.reason}` : ''}`,
    ]),
  ),
  ...section(
    `${countOf(allowed.length, 'breaking change')} allowed for a time`,
    allowed.flatMap((change) => [changeLine(change), `    Until ${change.allowed.until}: ${change.allowed.reason}`]),
  ),
  ...section(
    countOf(dangerous.length, 'dangerous change'),
    dangerous.flatMap((change) => [changeLine(change), ...(change.reason ? [`    ${change.reason}`] : [])]),
  ),
  ...section(countOf(safe.length, 'safe change'), safe.map(changeLine)),
];

const operationSections = ({ dropped, moreFetches, maxFetchesGrowth, operations }) => [
  ...section(
    `${countOf(dropped.length, 'shared field')} that a subgraph no longer resolves; clients get the same responses`,
    dropped.map(droppedLine),
  ),
  ...section(
    `${countOf(moreFetches.filter(({ excess }) => !excess).length, 'client operation')} with more fetches`,
    moreFetches.filter(({ excess }) => !excess).flatMap(fetchesLines),
  ),
  ...section(
    `${countOf(moreFetches.filter(({ excess }) => excess).length, 'client operation')} with more than ${maxFetchesGrowth} fetches more`,
    moreFetches.filter(({ excess }) => excess).flatMap(fetchesLines),
  ),
  ...section(
    `${countOf(operations.errors.length, 'error')} in operations of clients`,
    operations.errors.map(operationLine),
  ),
  ...section(
    `${countOf(operations.deprecated.length, 'use')} of deprecated elements in operations of clients`,
    operations.deprecated.map(operationLine),
  ),
];

const allowanceSections = ({ errors, unused }, allowedBreaksFile) => [
  ...section(
    'Invalid or expired allowances',
    errors.map((line) => `  ${line}`),
  ),
  ...section(
    'Allowances that nothing needs any more; remove them',
    unused.map(({ line, change }) => `  ${allowedBreaksFile}:${line}: ${change}`),
  ),
];

const allowanceExample = ({ message }) => [
  `  - change: ${JSON.stringify(message)}`,
  '    until: YYYY-MM-DD',
  '    reason: why, and who agreed',
];
