export type { JobName, JobPayloads } from './job-map.ts';
export { type JobHandlers, type Jobs, openJobs } from './jobs.ts';
