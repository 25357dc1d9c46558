/** What each kind of destination asks for (docs/delivery.md), in the words of people. */
export const DESTINATION_KINDS = ['folder', 's3', 'azure_blob', 'smb', 'sftp', 'ftp', 'webdav', 'webhook'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export type KindField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  /** Over the whole width of the form. */
  readonly isWide?: boolean;
} & (
  | { readonly type: 'text' | 'number' | 'long' | 'flag' | 'secret' | 'long-secret' }
  /** The first one is that of a new destination. */
  | { readonly type: 'choice'; readonly options: readonly { readonly value: string; readonly label: string }[] }
);

export type KindSpec = {
  readonly label: string;
  readonly hint: string;
  readonly config: readonly KindField[];
  readonly secrets: readonly KindField[];
  /** The members of the config that say where it is. */
  readonly place: readonly string[];
};

const PREFIX: KindField = {
  name: 'prefix',
  label: 'Folder',
  type: 'text',
  hint: 'All paths begin in it. It has to be there.',
};
const PASSWORD: KindField = { name: 'password', label: 'Password', type: 'secret' };
const HOST: KindField = { name: 'host', label: 'Host', type: 'text', isRequired: true };
const USER: KindField = { name: 'user', label: 'User', type: 'text', isRequired: true };
const port = (usual: string): KindField => ({ name: 'port', label: 'Port', type: 'number', placeholder: usual });
const CERTIFICATES: readonly KindField[] = [
  {
    name: 'ca',
    label: 'Certificate authority',
    type: 'long',
    hint: 'PEM. Only where the server has a certificate that no public authority signed.',
  },
  {
    name: 'insecure',
    label: 'Take any certificate',
    type: 'flag',
    hint: 'Anybody between here and the server could then read what is sent.',
  },
];
const USUAL = { value: '', label: 'As usual' };

export const KINDS: Readonly<Record<DestinationKind, KindSpec>> = {
  folder: {
    label: 'Folder',
    hint: 'A folder or mounted share of the machine that the service runs on.',
    config: [
      {
        name: 'path',
        isWide: true,
        label: 'Path',
        type: 'text',
        isRequired: true,
        placeholder: '/srv/delivery/press',
        hint: 'Absolute, and in a folder that the setting DELIVERY_FOLDERS allows.',
      },
    ],
    secrets: [],
    place: ['path'],
  },
  s3: {
    label: 'S3',
    hint: 'Amazon S3, or a store that speaks its protocol.',
    config: [
      { name: 'bucket', label: 'Bucket', type: 'text', isRequired: true },
      { name: 'region', label: 'Region', type: 'text', placeholder: 'us-east-1' },
      {
        name: 'endpoint',
        label: 'Endpoint',
        type: 'text',
        placeholder: 'https://s3.example.org',
        hint: 'Of a compatible store; leave it empty for Amazon.',
      },
      { name: 'prefix', label: 'Folder', type: 'text', hint: 'All keys begin with it.' },
      {
        name: 'path_style',
        label: 'Bucket in the path',
        type: 'choice',
        options: [
          { value: '', label: 'Automatic' },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No, in the host name' },
        ],
      },
      {
        name: 'storage_class',
        label: 'Storage class',
        type: 'choice',
        options: [USUAL, ...['STANDARD', 'STANDARD_IA', 'INTELLIGENT_TIERING', 'GLACIER_IR'].map(same)],
      },
      {
        name: 'encryption',
        label: 'Encryption at rest',
        type: 'choice',
        options: [USUAL, ...['AES256', 'aws:kms'].map(same)],
      },
      { name: 'kms_key_id', label: 'KMS key', type: 'text' },
    ],
    secrets: [
      { name: 'access_key_id', label: 'Access key ID', type: 'secret', isRequired: true },
      { name: 'secret_access_key', label: 'Secret access key', type: 'secret', isRequired: true },
      { name: 'session_token', label: 'Session token', type: 'secret' },
    ],
    place: ['bucket', 'prefix'],
  },
  azure_blob: {
    label: 'Azure Blob Storage',
    hint: 'A container of a storage account.',
    config: [
      { name: 'account', label: 'Account', type: 'text', isRequired: true },
      { name: 'container', label: 'Container', type: 'text', isRequired: true },
      { name: 'endpoint', label: 'Endpoint', type: 'text', hint: 'Leave it empty for Azure itself.' },
      { name: 'prefix', label: 'Folder', type: 'text', hint: 'All names begin with it.' },
    ],
    secrets: [
      { name: 'account_key', label: 'Account key', type: 'secret', hint: 'This, or a SAS token.' },
      {
        name: 'sas_token',
        label: 'SAS token',
        type: 'secret',
        hint: 'Of the container, for read, add, create, write and delete.',
      },
    ],
    place: ['account', 'container', 'prefix'],
  },
  smb: {
    label: 'SMB share',
    hint: 'A share of Windows, Samba or a storage system.',
    config: [
      HOST,
      port('445'),
      { name: 'share', label: 'Share', type: 'text', isRequired: true },
      USER,
      { name: 'domain', label: 'Domain or workgroup', type: 'text', placeholder: 'WORKGROUP' },
      { ...PREFIX, hint: 'In the share. It has to be there.' },
      {
        name: 'encryption',
        label: 'Encryption',
        type: 'choice',
        options: [
          { value: 'if_offered', label: 'If the server offers it' },
          { value: 'required', label: 'Required' },
        ],
      },
      {
        name: 'min_protocol',
        label: 'Oldest protocol',
        type: 'choice',
        options: [
          { value: 'SMB2_10', label: 'SMB 2.1' },
          { value: 'SMB3_00', label: 'SMB 3.0' },
          { value: 'SMB3_11', label: 'SMB 3.1.1' },
        ],
      },
    ],
    secrets: [{ ...PASSWORD, isRequired: true }],
    place: ['host', 'share', 'prefix'],
  },
  sftp: {
    label: 'SFTP',
    hint: 'A folder of an SSH server. Its key is confirmed when it is verified first.',
    config: [
      HOST,
      port('22'),
      USER,
      PREFIX,
      {
        name: 'host_key',
        label: 'Key of the server',
        type: 'text',
        placeholder: 'SHA256:…',
        hint: 'Its fingerprint. Leave it empty: verifying shows it, and you confirm it.',
      },
    ],
    secrets: [
      { ...PASSWORD, hint: 'This, or a private key.' },
      { name: 'private_key', label: 'Private key', type: 'long-secret', hint: 'OpenSSH or PEM.' },
      { name: 'passphrase', label: 'Passphrase of the key', type: 'secret' },
    ],
    place: ['user', 'host', 'prefix'],
  },
  ftp: {
    label: 'FTP',
    hint: 'A folder of an FTP server, with TLS unless you turn it off.',
    config: [
      HOST,
      port('21'),
      USER,
      PREFIX,
      {
        name: 'security',
        label: 'Security',
        type: 'choice',
        options: [
          { value: 'explicit', label: 'TLS, asked for (explicit)' },
          { value: 'implicit', label: 'TLS from the first byte (implicit)' },
          { value: 'none', label: 'None: password and files are readable on the way' },
        ],
      },
      ...CERTIFICATES,
    ],
    secrets: [{ ...PASSWORD, isRequired: true }],
    place: ['user', 'host', 'prefix'],
  },
  webdav: {
    label: 'WebDAV',
    hint: 'A folder of a WebDAV server, such as Nextcloud.',
    config: [
      {
        name: 'url',
        label: 'URL of the folder',
        isWide: true,
        type: 'text',
        isRequired: true,
        placeholder: 'https://cloud.example.org/remote.php/dav/files/press/',
      },
      { name: 'user', label: 'User', type: 'text' },
      ...CERTIFICATES,
    ],
    secrets: [
      { ...PASSWORD, hint: 'This, or a token.' },
      { name: 'token', label: 'Bearer token', type: 'secret' },
    ],
    place: ['url'],
  },
  webhook: {
    label: 'Webhook',
    hint: 'Is told of each file by a signed message, and fetches it when it likes.',
    config: [
      {
        name: 'url',
        label: 'URL',
        type: 'text',
        isRequired: true,
        isWide: true,
        placeholder: 'https://example.org/inbox',
      },
      {
        name: 'url_hours',
        label: 'Hours that the URL of a file is good',
        type: 'number',
        placeholder: '24',
        hint: '1 to 168.',
      },
    ],
    secrets: [
      {
        name: 'secret',
        label: 'Secret to sign with',
        type: 'secret',
        isRequired: true,
        hint: 'whsec_ and 24 to 64 random bytes in base64. The receiver checks the signature with it.',
      },
      {
        name: 'previous_secret',
        label: 'Secret before',
        type: 'secret',
        hint: 'Signs too, while the receiver changes from one to the other.',
      },
    ],
    place: ['url'],
  },
};

function same(value: string) {
  return { value, label: value };
}

export const isKnownKind = (kind: string): kind is DestinationKind => DESTINATION_KINDS.some((one) => one === kind);

/** Where it is, in one line. */
export function placeOf({
  kind,
  config,
}: {
  readonly kind: string;
  readonly config: Readonly<Record<string, unknown>>;
}): string {
  if (!isKnownKind(kind)) return '';
  const parts = KINDS[kind].place.map((name) => config[name]).filter((one) => typeof one === 'string' && one !== '');
  return parts.join(' / ');
}
