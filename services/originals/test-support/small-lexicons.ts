import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildOriginals } from '../src/index';

const openScriptures = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://openscriptures.github.com/morphhb/namespace">${content}</${root}>`;

/** The files of two small Hebrew lexicons and a small Greek one, with invented entries. */
export const smallLexicons: Readonly<Record<string, string>> = {
  'morphhb/VerseMap.xml':
    '<verseMap><book osisID="Joel"><verse wlc="Joel.3.1" kjv="Joel.2.28" type="full"/></book></verseMap>',
  'hebrewlexicon/LexicalIndex.xml': openScriptures(
    'index',
    `<part xml:lang="heb">
      <entry id="aaa"><w xlit="rdd">רדד</w><xref bdb="r.aa.aa"/><etym root="רדד" type="main">aab, aac</etym></entry>
      <entry id="aab"><w xlit="rādad">רָדַד</w> <pos>V</pos> <def>spread</def><xref bdb="r.aa.ab" strong="7286" aug="a"/><etym type="sub">aaa</etym></entry>
      <entry id="aac"><w xlit="rādîd">רָדִיד</w> <pos>N</pos> <def>veil</def><xref bdb="r.aa.ac" strong="7286" aug="b"/><etym type="sub">aaa</etym></entry>
      <entry id="aad"><w xlit="bᵉ">בְּ</w> <pos>R</pos> <def>in</def><xref bdb="b.aa.aa" strong="b"/></entry></part>`,
  ),
  'hebrewlexicon/BrownDriverBriggs.xml': openScriptures(
    'lexicon',
    `<part id="b" xml:lang="heb"><section id="b.aa"><entry id="b.aa.aa"><w>בְּ</w> <pos>prep.</pos> <def>in</def> (Ar. <foreign xml:lang="ara">Arabic</foreign>, Gk. <foreign xml:lang="grc">ἐν</foreign>)<status p="1">done</status></entry></section></part>
    <part id="r" xml:lang="heb"><section id="r.aa">
      <entry id="r.aa.aa" type="root"><w>רדד</w> (cf.
        <em>Lag</em>)</entry>
      <entry id="r.aa.ab" mod="II">[<w>רָדַד</w>] <pos>vb</pos>. <def>spread</def> &amp; <def>beat</def>
        <sense><stem>[Qal]</stem>.
          <sense n="1"><def>beat down</def> <ref r="Joel.3.1">Jo 3:1</ref>
            <sense n="b">of peoples, <ref r="Isa.45.1">Is 45:1</ref> <ref r="Isa.99.1">99:1</ref></sense></sense></sense>
        <sense><stem>Hiph</stem>. <def>overlay</def></sense><status p="2">base</status></entry>
      <page p="3"/>
      <entry id="r.aa.ac"><w>רָדִיד</w> <pos>n.[m.]</pos> v. <w src="r.aa.ab">רָדַד</w></entry>
      <entry id="r.aa.ad"><w>רַב</w> ${'<def>much</def> '.repeat(600)}</entry></section></part>
    <part id="xr" xml:lang="arc"><section id="xr.aa"><entry id="xr.aa.aa"><w>רְדַד</w> <pos>n.pr.m</pos>.</entry></section></part>`,
  ),
  'hebrewlexicon/PartsOfSpeech.xml':
    '<PartsOfSpeech><POS><Code>v</Code><Name>Verb</Name></POS><POS><Code>n-m</Code><Name>Noun Masculine</Name></POS></PartsOfSpeech>',
  'hebrewlexicon/HebrewStrong.xml': openScriptures(
    'lexicon',
    `<entry id="H7286"><w pos="v n-m" pron="raw-dad'" xlit="râdad" xml:lang="heb">רָדַד</w><source>a primitive root; compare <w src="H7287">7287</w></source><meaning>to <def>tread</def> in pieces</meaning><usage>spend, spread.</usage><note>xlit corrected</note></entry>
     <entry id="H7287"><w pos="v" pron="raw-daw'" xlit="râdâ" xml:lang="arc">רָדָה</w><usage>rule.</usage></entry>`,
  ),
  'abbott-smith/abbott-smith.tei_lemma.xml': `<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.crosswire.org/2013/TEIOSIS/namespace"><text><body>
  <entry lemma="φιλία" strong="G5373"><note type="occurrencesNT">1</note><form><orth>φιλία</orth>, <foreign xml:lang="grc">-ας, ἡ</foreign></form>
    <etym><seg type="derivation">(&lt; <foreign xml:lang="grc">φίλος</foreign>),</seg>
      <seg type="septuagint">[in LXX for <foreign xml:lang="heb" n="H7286">רָדַד</foreign>;]</seg></etym>
    <sense><gloss>friendship</gloss>: <ref osisRef="Jas.4.4">Ja 4:4</ref>, <ref osisRef="Sir.6.8">Si 6:8</ref>, <ref osisRef="LXX:Ps.30.4">Ps 30:4</ref>, <ref osisRef="Joel.3.1-Joel.3.2">Jl 3:1, 2</ref>
      <sense n="(a)">one</sense><sense n="(b)">two</sense></sense>
    <re><emph>SYN.</emph>: <ref><foreign xml:lang="grc">φίλος</foreign></ref>, <ref target="#φιλία_2">this</ref>.</re></entry>
  <entry lemma="φιλία_2" strong="G5373"><form><orth>φιλία</orth></form><sense>of places.</sense></entry>
  <entry lemma="φίλος" strong="G05384a"><form><orth>φίλος</orth></form><gramGrp><pos>adj.</pos></gramGrp></entry>
  <entry lemma="φιλύρα"><form><orth>φιλύρα</orth></form></entry>
  <entry lemma="φιλύρα"><form><orth>φιλύρα</orth> <gramGrp><pos>adv.</pos></gramGrp></form></entry>
</body><back><div><entry><form><form type="lemma"><foreign xml:lang="grc">φέρω</foreign></form></form></entry></div></back></text></TEI>`,
};

/** Writes source files, by default those of the lexicons, and builds originals.sqlite of the folder from them. */
export async function buildSmallLexicons(folder: string, files: Readonly<Record<string, string>> = smallLexicons) {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, 'sources', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const lines: string[] = [];
  const isBuilt = await buildOriginals({
    dataDir: folder,
    // With this environment, the build finds no program that fetches the package.
    env: { HOME: folder, PATH: folder, ORIGINALS_PATH: join(folder, 'sources') },
    roots: [],
    log: (line) => lines.push(line),
  });
  return { isBuilt, lines };
}
