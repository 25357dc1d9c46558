/** Below the temporary folder: a folder for each file that is worked on. What a crash leaves is swept a day later. */
export const WORK_FOLDER = 'work';
