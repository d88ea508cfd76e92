/** The markup of a topic in Nave's module. `lines` are the lines after `<lb/>`. */
export const topicMarkup = (name: string, ...lines: readonly string[]): string =>
  `<entryFree n="${name}"> <def> ${lines.map((line) => `<lb/>${line}`).join(' ')}</def> </entryFree>`;

/** A reference in Nave's module. */
export const ref = (osisRef: string, text: string): string => `<ref osisRef="${osisRef}">${text}</ref>`;

/** A link to another topic in Nave's module. */
export const see = (name: string): string => `<ref target="Nave:${name}">${name}</ref>`;
