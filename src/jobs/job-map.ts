/** Every job by name, with the payload it carries. The runner knows names and payloads, never their meaning. */
export type JobPayloads = {
  /** Makes an uploaded photo searchable and showable: metadata, tiers, faces. `revision` tells a replaced file from its forerunner. */
  'photo.process': { readonly organizationId: number; readonly mediaId: number; readonly revision: number };
  /** The same for a video: probe, poster, proxy. */
  'video.process': { readonly organizationId: number; readonly mediaId: number; readonly revision: number };
  /** The last stop of a processing job that ended without its handler, such as one that took the process down each time. */
  'media.abandoned': { readonly organizationId: number; readonly mediaId: number; readonly revision: number };
  /** Cuts a clip or a reel. */
  'clip.make': { readonly organizationId: number; readonly clipId: number };
  /** The last stop of a clip whose making was interrupted every time. */
  'clip.abandoned': { readonly organizationId: number; readonly clipId: number };
  /** Does an edit of many assets. */
  'media.bulk': { readonly organizationId: number; readonly operationId: number };
  /** The last stop of an edit that was interrupted every time. */
  'media.bulk_abandoned': { readonly organizationId: number; readonly operationId: number };
  /** Sends what is due to a destination; one run at a time does. */
  'delivery.run': { readonly organizationId: number; readonly destinationId: number };
  /** Wakes destinations that have something due and no job. */
  'delivery.sweep': Record<string, never>;
  /** Runs the rules of an organization on its newest changes, and tells what saved searches find. */
  'rule.run': { readonly organizationId: number };
  /** Wakes organizations whose changes were not followed. */
  'rule.sweep': Record<string, never>;
  /**
   * Describes faces and says whose they may be: of one asset, of all that may show one player (`tagOptionId`), or of the whole
   * library.
   */
  'faces.suggest': {
    readonly organizationId: number;
    readonly mediaId: number | null;
    readonly tagOptionId: number | null;
  };
  /** Sends the messages of a webhook; one run at a time does. `isAsked`: somebody knows that the endpoint is there, whatever it did before. */
  'webhook.run': { readonly organizationId: number; readonly webhookId: number; readonly isAsked?: true };
  /** Wakes webhooks that have something to do and no job. */
  'webhook.sweep': Record<string, never>;
  /** Fetches one URL of an import. */
  'media.import': { readonly organizationId: number; readonly operationId: number; readonly n: number };
  /** The last stop of a URL whose fetching was interrupted every time. */
  'media.import_abandoned': { readonly organizationId: number; readonly operationId: number; readonly n: number };
  /** Finishes uploads that are whole, and forgets those whose time is over. */
  'upload.sweep': Record<string, never>;
  /** Removes what has been in the bin for 30 days, and expired idempotency records. */
  'library.purge': Record<string, never>;
};

export type JobName = keyof JobPayloads;

export type JobSettings = {
  /** Jobs of this name that one node runs at the same time. */
  readonly concurrency: (cores: number) => number;
  /** A run over this time is given up and tried again. */
  readonly timeLimitSeconds: number;
  readonly retryLimit: number;
  readonly cron?: string;
  /** Two jobs are fetched at a time. True: they run at the same time, so that neither waits for the other. */
  readonly isSideBySide?: true;
  /** The job that gets the payload when every try has failed. */
  readonly deadLetter?: JobName;
};

export const JOB_SETTINGS: { readonly [Name in JobName]: JobSettings } = {
  'photo.process': {
    // One more than cores: while one photo waits for its faces or its metadata, the others keep the cores busy.
    concurrency: (cores) => cores + 1,
    timeLimitSeconds: 300,
    retryLimit: 3,
    deadLetter: 'media.abandoned',
  },
  // A 12 h recording at a tenth of real time is the longest that is let through.
  'video.process': {
    concurrency: () => 1,
    timeLimitSeconds: 24 * 3600 - 1,
    retryLimit: 2,
    deadLetter: 'media.abandoned',
  },
  'media.abandoned': { concurrency: () => 1, timeLimitSeconds: 60, retryLimit: 10 },
  // An hour of 4K, encoded at a fifth of real time.
  'clip.make': { concurrency: () => 1, timeLimitSeconds: 6 * 3600, retryLimit: 2, deadLetter: 'clip.abandoned' },
  'clip.abandoned': { concurrency: () => 1, timeLimitSeconds: 60, retryLimit: 10 },
  // A million assets are done in half an hour. What is done is noted, so that a try goes on where the last one ended.
  'media.bulk': {
    concurrency: () => 2,
    timeLimitSeconds: 24 * 3600 - 1,
    retryLimit: 10,
    deadLetter: 'media.bulk_abandoned',
  },
  'media.bulk_abandoned': { concurrency: () => 1, timeLimitSeconds: 60, retryLimit: 10 },
  // It ends when nothing is due. A run that is cut off goes on in the next one; the sweep wakes what has no job any more.
  // Each is a destination at work, and holds one of the node's 20 connections to the database.
  'delivery.run': { concurrency: () => 8, timeLimitSeconds: 24 * 3600 - 1, retryLimit: 10 },
  'delivery.sweep': { concurrency: () => 1, timeLimitSeconds: 60, retryLimit: 0, cron: '* * * * *' },
  // It ends when nothing is left to follow. A run that is cut off is done again; the sweep wakes who has no job any more.
  'rule.run': { concurrency: () => 2, timeLimitSeconds: 3600, retryLimit: 10 },
  'rule.sweep': { concurrency: () => 1, timeLimitSeconds: 60, retryLimit: 0, cron: '* * * * *' },
  // A million photos at 0.1 s are a day; what is described is kept, so that a try goes on where the last one ended.
  'faces.suggest': { concurrency: () => 1, timeLimitSeconds: 24 * 3600 - 1, retryLimit: 5 },
  // It ends after 20 s and the tries under way then. The sweep wakes what was cut off.
  'webhook.run': { concurrency: () => 8, timeLimitSeconds: 120, retryLimit: 2, isSideBySide: true },
  'webhook.sweep': { concurrency: () => 1, timeLimitSeconds: 60, retryLimit: 0, cron: '* * * * *' },
  // Waits for others mostly. Seven tries take 4 minutes, and what was fetched is kept between them.
  'media.import': {
    concurrency: () => 3,
    timeLimitSeconds: 24 * 3600 - 1,
    retryLimit: 6,
    deadLetter: 'media.import_abandoned',
    isSideBySide: true,
  },
  'media.import_abandoned': { concurrency: () => 1, timeLimitSeconds: 60, retryLimit: 10 },
  // Hashing and storing 50 GB takes minutes.
  'upload.sweep': { concurrency: () => 1, timeLimitSeconds: 3600, retryLimit: 0, cron: '*/5 * * * *' },
  'library.purge': { concurrency: () => 1, timeLimitSeconds: 3600, retryLimit: 1, cron: '17 * * * *' },
};
