// What tests start for themselves, servers on ports of their own and a browser: rows of the form of src/base/tools.json. A test
// that needs another one adds its Debian package here.

export const TEST_TOOLS = [
  { command: 'chromium', package: 'chromium', capability: 'tests in a browser', check: [] },
  { command: 'sshd', package: 'openssh-server', capability: 'tests of delivery over SFTP', check: [] },
  { command: 'ssh-keygen', package: 'openssh-client', capability: 'tests of delivery over SFTP', check: [] },
  { command: 'proftpd', package: 'proftpd-core', capability: 'tests of delivery over FTP', check: [] },
  {
    library: 'proftpd/mod_tls.so',
    package: 'proftpd-mod-crypto',
    capability: 'tests of delivery over FTP with TLS',
    check: [],
  },
  { command: 'openssl', package: 'openssl', capability: 'tests of delivery over FTP with TLS', check: [] },
  { command: 'smbd', package: 'samba', capability: 'tests of delivery to SMB shares', check: [] },
  { command: 'pdbedit', package: 'samba', capability: 'tests of delivery to SMB shares', check: [] },
  { command: 'rclone', package: 'rclone', capability: 'tests of delivery over WebDAV', check: [] },
];

/** Ceph brings 285 MB of packages, hence only for `npm run test:faults`. */
export const FAULT_TOOLS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'].map((command) => ({
  command,
  package: command === 'radosgw-admin' ? 'radosgw' : command,
  // Packages that come along and have services as well.
  brings: ['ceph-base', 'ceph-common'],
  capability: 'fault tests of delivery to S3 stores on Ceph',
  check: [],
}));
