export { type AllowList, NOTHING_ALLOWED, parseAllowList } from './allow-list.ts';
export { createDownloads, type Download, type Downloads } from './download.ts';
export { OutboundError } from './errors.ts';
export { generateWebhookSecret, signedHeaders } from './signature.ts';
export { createOutbound, type Outbound, type OutboundAnswer, urlRefusal } from './outbound.ts';
