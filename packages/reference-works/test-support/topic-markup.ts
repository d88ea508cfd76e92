/** The markup of topics, references and links as Nave's module has it. */
export const topicMarkup = (name: string, ...lines: readonly string[]): string =>
  `<entryFree n="${name}"> <def> ${lines.map((line) => `<lb/>${line}`).join(' ')}</def> </entryFree>`;

export const ref = (osisRef: string, text: string): string => `<ref osisRef="${osisRef}">${text}</ref>`;

export const see = (name: string): string => `<ref target="Nave:${name}">${name}</ref>`;
