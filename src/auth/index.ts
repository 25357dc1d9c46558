export { type ApiKeyRecord, countKeys, insertKey, listKeys, revokeKey } from './api-key-store.ts';
export { type Authenticator, createAuthenticator, isCidr, type Principal, requireScopes } from './authenticator.ts';
export { generateKeyText, hashKeyText } from './key-text.ts';
export { type LibraryScope, SCOPES, type Scope, scopeOf } from './scopes.ts';
export {
  canonicalUrl,
  generateImageKey,
  isImageSignature,
  isOwnSignature,
  newUrlNonce,
  openCursor,
  sealCursor,
  signPath,
  urlToken,
  verifyPath,
  verifyUrlToken,
} from './signing.ts';
