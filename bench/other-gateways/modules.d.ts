// These packages are not part of the repository's own installation.
declare module 'fastify';
declare module '@mercuriusjs/gateway';
