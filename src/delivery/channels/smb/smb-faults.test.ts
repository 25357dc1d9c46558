import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { classifySmb, SmbError } from './smb-faults.ts';

const { errno } = constants;

test.each(['ECONNRESET', 'ECONNABORTED', 'ENETRESET', 'EPIPE'] as const)(
  'says after %s that the connection was lost, and that the next try may go well',
  (name) => {
    const fault = classifySmb(new SmbError(errno[name]));
    expect(fault).toMatchObject({ code: 'connection_lost', permanent: false });
    expect(fault.message).toContain(name);
  },
);
