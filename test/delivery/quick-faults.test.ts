import { describeFaults } from '../support/faults/describe-faults.ts';

// The rest of the table: npm run test:faults.
describeFaults({ isQuick: true });
