// Declares packages of bench/other-gateways/package.json for the type check, which runs without them.
declare module 'fastify';
declare module '@mercuriusjs/gateway';
