// Only the compiler checks this file, in `npm test`. A line below `@ts-expect-error` must not
// compile. If the line compiles, the check of types fails.
import type { LecternClient } from '@lectern/client';
import { books, concordance, documentText, edges, passage, topics } from '@lectern/client';

const document = documentText<{ books: { name: string }[] }, { translation: string }>('{ books { name } }');

export async function callsOfTheClient(lectern: LecternClient): Promise<void> {
  const data = await lectern.query(document, { translation: 'eng-web' });
  data.books.map(({ name }) => name.length);
  // @ts-expect-error The document does not select the field.
  console.log(data.verses);
  // @ts-expect-error A required variable is missing.
  await lectern.query(document);
  // @ts-expect-error The type of the variable is wrong.
  await lectern.query(document, { translation: 1 });

  const [book] = await books(lectern);
  console.log(book?.name.length);
  // @ts-expect-error A required argument is missing.
  await passage(lectern);
  // @ts-expect-error The argument does not exist.
  await passage(lectern, { reference: 'John 3:16', language: 'eng' });
  // @ts-expect-error The argument takes the enum values OLD and NEW, not OT.
  await concordance(lectern, { translation: 'eng-kjv', word: 'shepherd', testament: 'OT' });

  for await (const { node } of edges(lectern, topics, {})) {
    console.log(node.name.length);
    // @ts-expect-error The field of the edge does not exist.
    console.log(node.verse);
  }
}
