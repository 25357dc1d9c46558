/** The source of time, injected so that tests decide what "now" is. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
