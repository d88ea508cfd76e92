import { graphqlHeaders, send } from '@lectern/testing';

/** Sends a query of low cost with an API key to this endpoint. Resolves with the status of the response. */
export const graphqlStatus = async (url: string, token: string): Promise<number> => {
  const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });
  return (await send(url, { headers: graphqlHeaders(token), body })).status;
};
