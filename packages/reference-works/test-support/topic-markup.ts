/** Returns the markup of a topic as Nave's module has it, with `<lb/>` before each line. */
export const topicMarkup = (name: string, ...lines: readonly string[]): string =>
  `<entryFree n="${name}"> <def> ${lines.map((line) => `<lb/>${line}`).join(' ')}</def> </entryFree>`;

/** Returns the markup of a reference as Nave's module has it. */
export const ref = (osisRef: string, text: string): string => `<ref osisRef="${osisRef}">${text}</ref>`;

/** Returns the markup of a link to another topic as Nave's module has it. */
export const see = (name: string): string => `<ref target="Nave:${name}">${name}</ref>`;
