const plural = (count, one, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;

const placeOf = ({ file, line, subgraph }) =>
  `${file ?? 'supergraph.yaml'}${line === null ? '' : `:${line}`} (${subgraph})`;
const where = (places) => (places.length === 0 ? 'no subgraph' : places.map(placeOf).join(', '));

const briefly = ({ places, message }) => `  ${where(places)}: ${message}`;
const operationLine = ({ file, line, operation, message }) =>
  `  ${file}:${line}${operation ? ` (${operation})` : ''}: ${message}`;

/** A list under its heading, or nothing of an empty one. */
const section = (heading, lines) => (lines.length === 0 ? [] : ['', heading, ...lines]);

/** What the check found, for people. */
export function reportLines({ against, breaking, dangerous, safe, operations, allowances, passes }, allowanceFile) {
  const refused = breaking.filter(({ allowed }) => !allowed);
  const allowed = breaking.filter((change) => change.allowed);
  return [
    `The schema of this tree, beside ${against.join(' and ')}:`,
    ...section(
      plural(refused.length, 'breaking change'),
      refused.flatMap((change) => [
        briefly(change),
        `    Promised by ${change.against.join(' and ')}.${change.reason ? ` ${change.reason}` : ''}`,
      ]),
    ),
    ...section(
      `${plural(allowed.length, 'breaking change')} allowed for a time`,
      allowed.flatMap((change) => [briefly(change), `    Until ${change.allowed.until}: ${change.allowed.reason}`]),
    ),
    ...section(
      plural(dangerous.length, 'dangerous change'),
      dangerous.flatMap((change) => [briefly(change), ...(change.reason ? [`    ${change.reason}`] : [])]),
    ),
    ...section(plural(safe.length, 'safe change'), safe.map(briefly)),
    ...section(
      `${plural(operations.faults.length, 'fault')} in operations that clients send`,
      operations.faults.map(operationLine),
    ),
    ...section(
      `${plural(operations.deprecated.length, 'use')} of what is deprecated, in operations that clients send`,
      operations.deprecated.map(operationLine),
    ),
    ...section(
      'Allowances that do not hold',
      allowances.faults.map((line) => `  ${line}`),
    ),
    ...section(
      'Allowances that nothing needs any more; remove them',
      allowances.unused.map(({ line, change }) => `  ${allowanceFile}:${line}: ${change}`),
    ),
    '',
    `${plural(refused.length, 'breaking change')}, ${allowed.length} allowed, ${dangerous.length} dangerous, ${safe.length} safe; ${plural(operations.count, 'recorded operation')} in ${plural(operations.files.length, 'file')}.`,
    ...(refused.length === 0
      ? []
      : [
          '',
          `Keep the old beside the new and deprecate it. Where a break is agreed, allow it for a time in ${allowanceFile}:`,
          ...refused.flatMap(stanza),
        ]),
    '',
    passes ? 'Every client is served as before.' : 'Failed: clients would not be served as they were promised.',
  ];
}

const stanza = ({ message }) => [
  `  - change: ${JSON.stringify(message)}`,
  '    until: YYYY-MM-DD',
  '    reason: why, and who agreed',
];
