// Generated from the OpenAPI document of the service by `npm run web:client`. Do not edit.

export type paths = {
  '/healthz': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** The process is alive */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              status: string;
            };
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Database and storage answer */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              status: string;
            };
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Figures for Prometheus */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': string;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/openapi.json': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** This document (OpenAPI 3.1) */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              [name: string]: unknown;
            };
          };
        };
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/usage': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read how much the library has and how much is asked of it */
    get: {
      parameters: {
        query?: {
          /** With today */ days?: number;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              usage: {
                /** Those in the bin are `deleted` */
                assets: {
                  media_type: string;
                  status: string;
                  count: number;
                }[];
                /** Without retracted ones */
                actions: number;
                /** Files of all assets, those in the bin too */
                storage: {
                  quality: string;
                  files: number;
                  bytes: number;
                }[];
                /** Oldest first; a day without requests is left out. Images and files by URL are not requests. */
                days: {
                  /** UTC */
                  day: string;
                  requests: number;
                  /** Of assets, actions and tags; among the requests */
                  searches: number;
                }[];
              };
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Which organization, key, scopes and limits */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              organization: {
                id: number;
                slug: string;
                name: string;
                library_version: number;
              };
              api_key: components['schemas']['ApiKey'];
              scopes: ('media.read' | 'media.write' | 'tags.write' | 'actions.write' | 'delivery.run' | 'admin')[];
              limits: {
                requests_per_second: number;
                burst: number;
              };
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/key': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List API keys */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              api_keys: components['schemas']['ApiKey'][];
              total: number;
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Create an API key */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            name: string;
            scopes: ('media.read' | 'media.write' | 'tags.write' | 'actions.write' | 'delivery.run' | 'admin')[];
            expires_at?: string | null;
            /** Networks the key may be used from; none = any */
            cidrs?: string[];
            requests_per_second?: number;
            burst?: number;
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              api_key: components['schemas']['ApiKey'];
              /** The key itself: shown here once and never again */
              key: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/key/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    /** Revoke an API key for good */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              api_key: components['schemas']['ApiKey'];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag/search': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Find tag options by name */
    get: {
      parameters: {
        query?: {
          /** What somebody types; without it, a list */ query?: string;
          /** One or more of player, club, stadium, competition, season, match, sponsor, tag, with commas between */
          type?: string;
          category?: string;
          /** Only players of this club, on the day of at */
          club?: number;
          /** The day of which clubs and shirt numbers are meant, such as 2026-03-14; today (UTC) without it */
          at?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              tag_options: components['schemas']['TagHit'][];
              players: components['schemas']['TagHit'][];
              clubs: components['schemas']['TagHit'][];
              stadiums: components['schemas']['TagHit'][];
              competitions: components['schemas']['TagHit'][];
              seasons: components['schemas']['TagHit'][];
              matches: components['schemas']['TagHit'][];
              sponsors: components['schemas']['TagHit'][];
              tags: components['schemas']['TagHit'][];
              total: number;
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List tag options in full, in order of ID */
    get: {
      parameters: {
        query?: {
          /** One or more of player, club, stadium, competition, season, match, sponsor, tag, with commas between */
          type?: string;
          /** The option with this external id, as source:id */
          external_id?: string;
          /** Only players of this club, on the day of at */
          club?: number;
          /** The day of which clubs and shirt numbers are meant, such as 2026-03-14; today (UTC) without it */
          at?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              tag_options: components['schemas']['TagOption'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Create a tag option */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
            label: string;
            category?: string | null;
            full_name?: string | null;
            aliases?: string[];
            /** By source, such as {"opta": "p123"}; null removes one */
            external_ids?: {
              [name: string]: string | null;
            };
            status?: 'active' | 'deactivated';
            image_url?: string | null;
            /** player: clubs (with shirt_number), sponsors; club: stadiums, competitions, parent (of a women's, youth or reserve side); sponsor: clubs, competitions; match: competition, season, home, away, stadium, round, kick_off, home_score, away_score, status. from and to are dates, both included; null or absent: open */
            relations?: Shape4;
          };
        };
      };
      responses: {
        201: Shape46;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag/category': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Count tag options by type and category */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              categories: {
                type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
                category: string | null;
                active: number;
                deactivated: number;
              }[];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag/category/rename': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Rename a category of tag options */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
            from: string;
            to: string;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              changed: number;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag/{id}/usage': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Count what names a tag option */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              usage: {
                /** Assets outside the bin that carry it */
                media: number;
                /** Actions that name it, deleted ones too */
                actions: number;
                /** Other tag options whose relations name it, such as the players of a club */
                tag_options: number;
                /** Matches of it: as home, away, stadium, competition or season */
                matches: number;
                /** Tag options that were merged into it */
                merged: number;
              };
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a tag option */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape46;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a tag option that no asset carries and no action names */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change a tag option (JSON Merge Patch) */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': Shape1;
        };
      };
      responses: {
        200: Shape46;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/tag/{id}/merge': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Merge a tag option into another */
    post: {
      parameters: Shape32;
      requestBody: {
        content: {
          'application/json': {
            into: number;
          };
        };
      };
      responses: {
        200: Shape46;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/collection': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List collections */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              collections: components['schemas']['Collection'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Create a collection */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            name: string;
          };
        };
      };
      responses: {
        201: Shape45;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/collection/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a collection */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape45;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a collection; its assets stay */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Rename a collection */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            name: string;
          };
        };
      };
      responses: {
        200: Shape45;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/detail-field': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List detail fields, by position */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              detail_fields: components['schemas']['DetailField'][];
              /** Always null: there are at most 100 fields */
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Define a detail field */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            /** The name in details; never changes. Names of the IPTC core and of the camera are reserved */
            key: string;
            label: string;
            /** text; number; date (YYYY-MM-DD, or an RFC 3339 time, kept in UTC); choice (one of choices); list (texts, of choices where there are any) */
            type: 'text' | 'number' | 'date' | 'choice' | 'list';
            /** choice: the values; list: what its texts are taken from, empty = any text */
            choices?: string[];
            /** Filters may test it. Words in its texts are found either way */
            searchable?: boolean;
            /** Place among the fields; default last */
            position?: number;
          };
        };
      };
      responses: {
        201: Shape41;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/detail-field/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a detail field */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape41;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a detail field */
    delete: {
      parameters: {
        query?: {
          /** What becomes of the values: keep (default) leaves them as free details */ values?: 'keep' | 'remove';
        };
        header?: {
          /** ETag of the object as it was read; 412 when it has changed since */ 'If-Match'?: string;
        };
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change a detail field (JSON Merge Patch) */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            label?: string;
            /** text; number; date (YYYY-MM-DD, or an RFC 3339 time, kept in UTC); choice (one of choices); list (texts, of choices where there are any) */
            type?: 'text' | 'number' | 'date' | 'choice' | 'list';
            /** choice: the values; list: what its texts are taken from, empty = any text */
            choices?: string[];
            /** Filters may test it. Words in its texts are found either way */
            searchable?: boolean;
            /** Place among the fields; default last */
            position?: number;
          };
        };
      };
      responses: {
        200: Shape41;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/media/bulk': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Change many assets */
    post: {
      parameters: Shape17;
      requestBody: {
        content: {
          'application/json': {
            /** Either these assets */
            ids?: number[];
            filter?: components['schemas']['Filter'];
            /** Values that each asset gets; details is a JSON Merge Patch */
            set?: {
              usage?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
              usage_at?: string | null;
              rating?: number | null;
              captured_at?: string | null;
              status?: 'ready' | 'archived';
              /** Free fields by snake_case name; null removes one (JSON Merge Patch) */
              details?: Record<string, unknown>;
              collections?: number[];
            };
            /** Tag options to put on each asset and to take off */
            tags?: {
              add?: number[];
              remove?: number[];
            };
            /** Collections that each asset joins and leaves */
            collections?: {
              add?: number[];
              remove?: number[];
            };
            /** Moves each asset to the bin; with nothing else */
            delete?: true;
            /** Takes each asset out of the bin; with nothing else */
            restore?: true;
            /** Answers what would be done, and does nothing */
            dry_run?: boolean;
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              total: number;
              updated: number;
              unchanged: number;
              failed: number;
              dry_run: boolean;
              results: Shape22[];
            };
          };
        };
        202: Shape47;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operation': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List operations, newest first */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              operations: components['schemas']['Operation'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operation/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read an operation and how far it is */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape47;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Cancel an operation */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        200: Shape47;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operation/{id}/result': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List what became of each asset or URL of an operation */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          status?: 'created' | 'updated' | 'unchanged' | 'failed' | 'waiting';
        };
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              results: Shape22[];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Upload a photo or video */
    post: {
      parameters: Shape23;
      requestBody: {
        content: {
          'multipart/form-data': {
            metadata?: components['schemas']['UploadMetadata'];
            file: string;
          };
        };
      };
      responses: {
        200: Shape31;
        201: Shape31;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        413: Shape58;
        415: Shape58;
        422: Shape58;
        429: Shape58;
        503: Shape58;
        507: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/import': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Import photos and videos from URLs */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            items: {
              /** https, without user name and password. Other addresses only as far as the setting OUTBOUND_ALLOW has them */
              url: string;
              name?: string;
              external_id?: string | null;
              captured_at?: string | null;
              rating?: number | null;
              usage?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
              usage_at?: string | null;
              tag_options?: number[];
              collections?: number[];
              /** Free fields by snake_case name; null removes one (JSON Merge Patch) */
              details?: Record<string, unknown>;
              /** Where tag_options come from */
              tag_source?: 'manual' | 'import';
            }[];
          };
        };
      };
      responses: {
        202: Shape47;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/search': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Search assets */
    post: {
      parameters: {
        query?: { page?: number; per_page?: number; limit?: number };
        header?: {
          /** Of an earlier answer: sees the library at that version or a later one, on whatever node */
          'X-Library-Version'?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            tag_options?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            player?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            club?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            stadium?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            competition?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            season?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            match?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            sponsor?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            collection?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            media_type?: Shape26;
            captured_at?: Shape40;
            created_at?: Shape40;
            updated_at?: Shape40;
            width?: Shape39;
            height?: Shape39;
            orientation?: Shape12;
            duration_ms?: Shape39;
            people_count?: Shape39;
            rating?: Shape39;
            usage?: Shape9;
            status?: Shape7;
            /** Case-insensitive part of the file name. */
            name?: string;
            /** Words in name, details, and the labels and aliases of tag options on the asset. All of them must occur; the last one may be the beginning of a word. "words in quotes" follow one another; -word excludes. */
            text?: string;
            /** Tests of the organization's detail fields by key. text, choice: a value, a list (= in), or eq, ne, in, contains (a part, case-insensitive), exists. number, date: a value, a list (= in), or eq, ne, in, gt, gte, lt, lte, exists. list: a text or a list (= all of them), or all, any, none, exists */
            details?: Shape15;
            action?: components['schemas']['ActionFilter'];
            all?: components['schemas']['Filter'][];
            any?: components['schemas']['Filter'][];
            none?: components['schemas']['Filter'][];
            /** Default -created_at; ties by id in the same direction; assets without a value come last. relevance and -relevance both put the best first; without a text that is the newest id. action.start_ms: of the earliest action that meets the first member action */
            sort?:
              | 'created_at'
              | '-created_at'
              | 'captured_at'
              | '-captured_at'
              | 'updated_at'
              | '-updated_at'
              | 'name'
              | '-name'
              | 'rating'
              | '-rating'
              | 'relevance'
              | '-relevance'
              | 'action.start_ms'
              | '-action.start_ms';
            /** Default 50; 0 = total and facets only */
            limit?: number;
            /** Counts by value over everything the filter finds; at most 20, each field once */
            facets?: Shape5[];
            /** The optional members of each asset: details, exif (camera, gps and clock of the camera), and actions (those that are not retracted, the first 100 by start). Default details */
            include?: ('details' | 'exif' | 'actions')[];
            /** Further images of each asset, by name: ready URLs with these parameters (docs/images.md) */
            images?: Shape8[];
            /** Shows in each asset where the words of text are, as HTML with <mark> */
            highlight?: boolean;
            /** next_cursor of the page before */
            cursor?: string;
            page?: number;
          };
        };
      };
      responses: {
        200: Shape11;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/saved-search': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List saved searches */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              saved_searches: components['schemas']['SavedSearch'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Save a search */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            name: string;
            request: {
              tag_options?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              player?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              club?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              stadium?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              competition?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              season?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              match?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              sponsor?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              collection?:
                | number
                | number[]
                | {
                    all?: number[];
                    any?: number[];
                    none?: number[];
                    only?: number[];
                  };
              media_type?: Shape26;
              captured_at?: Shape40;
              created_at?: Shape40;
              updated_at?: Shape40;
              width?: Shape39;
              height?: Shape39;
              orientation?: Shape12;
              duration_ms?: Shape39;
              people_count?: Shape39;
              rating?: Shape39;
              usage?: Shape9;
              status?: Shape7;
              /** Case-insensitive part of the file name. */
              name?: string;
              /** Words in name, details, and the labels and aliases of tag options on the asset. All of them must occur; the last one may be the beginning of a word. "words in quotes" follow one another; -word excludes. */
              text?: string;
              /** Tests of the organization's detail fields by key. text, choice: a value, a list (= in), or eq, ne, in, contains (a part, case-insensitive), exists. number, date: a value, a list (= in), or eq, ne, in, gt, gte, lt, lte, exists. list: a text or a list (= all of them), or all, any, none, exists */
              details?: Shape15;
              action?: components['schemas']['ActionFilter'];
              all?: components['schemas']['Filter'][];
              any?: components['schemas']['Filter'][];
              none?: components['schemas']['Filter'][];
              /** Default -created_at; ties by id in the same direction; assets without a value come last. relevance and -relevance both put the best first; without a text that is the newest id. action.start_ms: of the earliest action that meets the first member action */
              sort?:
                | 'created_at'
                | '-created_at'
                | 'captured_at'
                | '-captured_at'
                | 'updated_at'
                | '-updated_at'
                | 'name'
                | '-name'
                | 'rating'
                | '-rating'
                | 'relevance'
                | '-relevance'
                | 'action.start_ms'
                | '-action.start_ms';
              /** Default 50; 0 = total and facets only */
              limit?: number;
              /** Counts by value over everything the filter finds; at most 20, each field once */
              facets?: Shape5[];
              /** The optional members of each asset: details, exif (camera, gps and clock of the camera), and actions (those that are not retracted, the first 100 by start). Default details */
              include?: ('details' | 'exif' | 'actions')[];
              /** Further images of each asset, by name: ready URLs with these parameters (docs/images.md) */
              images?: Shape8[];
              /** Shows in each asset where the words of text are, as HTML with <mark> */
              highlight?: boolean;
            };
            /** Records saved_search.matched in the change feed when assets begin to match; at most 50 searches do */
            notify?: boolean;
          };
        };
      };
      responses: {
        201: Shape43;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/saved-search/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a saved search */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape43;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a saved search */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change a saved search */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            name?: string;
            /** JSON Merge Patch of the search; null removes a member */
            request?: {
              [name: string]: unknown;
            };
            /** Records saved_search.matched in the change feed when assets begin to match; at most 50 searches do */
            notify?: boolean;
          };
        };
      };
      responses: {
        200: Shape43;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/saved-search/{id}/search': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Run a saved search */
    post: {
      parameters: {
        query?: never;
        header?: {
          /** Of an earlier answer: sees the library at that version or a later one, on whatever node */
          'X-Library-Version'?: string;
        };
        path: { id: number };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** Default 50; 0 = total and facets only */
            limit?: number;
            /** next_cursor of the page before */
            cursor?: string;
            page?: number;
          };
        };
      };
      responses: {
        200: Shape11;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read an asset */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape55;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Move an asset to the bin */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change an asset (JSON Merge Patch) */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            name?: string;
            external_id?: string | null;
            captured_at?: string | null;
            rating?: number | null;
            usage?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
            usage_at?: string | null;
            tag_options?: number[];
            collections?: number[];
            /** Free fields by snake_case name; null removes one (JSON Merge Patch) */
            details?: Record<string, unknown>;
            status?: 'ready' | 'archived';
            timeline?: {
              angle?: string | null;
              started_at_wallclock?: string | null;
              /** Of the first frame, where the file has none or a wrong one */
              start_tc?: string | null;
              periods?:
                | {
                    period: number;
                    /** Where it kicks off; below 0 when the video begins later */
                    start_ms: number;
                  }[]
                | null;
            } | null;
            /** Fractions of the oriented picture from the top left; null removes it */
            focal?: {
              x: number;
              y: number;
            } | null;
          };
        };
      };
      responses: {
        200: Shape55;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/media/{id}/restore': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Take an asset out of the bin */
    post: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        200: Shape55;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/{id}/retry': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Process a failed asset again */
    post: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        200: Shape55;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/{id}/tag': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Add and remove tags; suggest, accept and reject them */
    post: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            add?: number[];
            remove?: number[];
            suggest?: {
              id: number;
              source: string;
              confidence?: number | null;
            }[];
            /** Suggested tag options that are right */
            accept?: number[];
            /** Taken off; no machine puts them on this asset again */
            reject?: number[];
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              media: components['schemas']['Media'];
              /** What was suggested or accepted and left out, and why */
              skipped: {
                id: number;
                reason: 'rejected' | 'present' | 'deactivated' | 'not_suggested';
              }[];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag/suggestion': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List open suggestions, oldest first */
    get: {
      parameters: {
        query?: {
          /** ID of a tag option */ tag?: number;
          /** Who suggested it, such as ai:faces-2 */
          source?: string;
          min_confidence?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              suggestions: {
                media_id: number;
                tag_option: Shape51;
                source: string;
                confidence: number | null;
                /** RFC 3339, UTC, with milliseconds */
                created_at: string;
              }[];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/{id}/action': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List the actions of a video */
    get: {
      parameters: {
        query?: {
          /** Some of draft, confirmed, disputed, retracted, with commas; default: all but retracted */ status?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              actions: components['schemas']['Action'][];
              total: number;
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Record actions in a video */
    post: {
      parameters: Shape32;
      requestBody: {
        content: {
          'application/json': Shape2 | Shape2[];
        };
      };
      responses: {
        200: Shape21;
        201: Shape21;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/action/bulk': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Record actions in several videos */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            actions: {
              media_id: number;
              /** ID of an action type (a tag option of category `action type`), or its key such as goal */
              type?: number | string;
              label?: string | null;
              /** Position in the video in ms */
              start_ms?: number;
              /** Position in the video in ms */
              end_ms?: number;
              /** Position in the video in ms */
              event_ms?: number;
              start_tc?: string;
              end_tc?: string;
              wallclock_at?: string | null;
              period?: number | null;
              /** Match clock in ms, running on: the second half of a football match begins at 2700000 */
              clock_ms?: number | null;
              /** Default: the match of the video, where it carries one */
              match?:
                | number
                | {
                    source: string;
                    id: string;
                  }
                | null;
              clubs?: {
                id:
                  | number
                  | {
                      source: string;
                      id: string;
                    };
                side?: 'home' | 'away' | null;
              }[];
              players?: {
                id:
                  | number
                  | {
                      source: string;
                      id: string;
                    };
                role?: string | null;
                shirt?: number | null;
              }[];
              tag_options?: (
                | number
                | {
                    source: string;
                    id: string;
                  }
              )[];
              outcome?: string | null;
              x?: number | null;
              y?: number | null;
              end_x?: number | null;
              end_y?: number | null;
              /** Free fields by snake_case name */
              details?: Record<string, unknown>;
              confidence?: number | null;
              status?: 'draft' | 'confirmed' | 'disputed' | 'retracted';
              parent_id?: number | null;
              source?: string;
              source_ref?: string | null;
              source_version?: number | null;
            }[];
          };
        };
      };
      responses: {
        200: Shape21;
        201: Shape21;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/action/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read an action */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape53;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete an action */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change an action (JSON Merge Patch) */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            /** ID of an action type (a tag option of category `action type`), or its key such as goal */
            type?: number | string;
            label?: string | null;
            /** Position in the video in ms */
            start_ms?: number;
            /** Position in the video in ms */
            end_ms?: number;
            /** Position in the video in ms */
            event_ms?: number;
            start_tc?: string;
            end_tc?: string;
            wallclock_at?: string | null;
            period?: number | null;
            /** Match clock in ms, running on: the second half of a football match begins at 2700000 */
            clock_ms?: number | null;
            /** Default: the match of the video, where it carries one */
            match?:
              | number
              | {
                  source: string;
                  id: string;
                }
              | null;
            clubs?: {
              id:
                | number
                | {
                    source: string;
                    id: string;
                  };
              side?: 'home' | 'away' | null;
            }[];
            players?: {
              id:
                | number
                | {
                    source: string;
                    id: string;
                  };
              role?: string | null;
              shirt?: number | null;
            }[];
            tag_options?: (
              | number
              | {
                  source: string;
                  id: string;
                }
            )[];
            outcome?: string | null;
            x?: number | null;
            y?: number | null;
            end_x?: number | null;
            end_y?: number | null;
            /** Free fields by snake_case name */
            details?: Record<string, unknown>;
            confidence?: number | null;
            status?: 'draft' | 'confirmed' | 'disputed' | 'retracted';
            parent_id?: number | null;
          };
        };
      };
      responses: {
        200: Shape53;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/action/{id}/history': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Every state of an action */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              history: {
                version: number;
                change: 'created' | 'updated' | 'retracted' | 'deleted';
                /** Name of the API key */
                actor: string | null;
                /** RFC 3339, UTC, with milliseconds */
                created_at: string;
                state: {
                  id: number;
                  media_id: number;
                  type: number;
                  /** Such as goal */
                  type_key: string;
                  type_label: string;
                  label: string | null;
                  /** Half open; start_ms = end_ms: a point */
                  start_ms: number;
                  end_ms: number;
                  /** The moment itself */
                  event_ms: number;
                  /** SMPTE; null while the frame rate of the video is not known */
                  start_tc: string | null;
                  end_tc: string | null;
                  frame_rate: {
                    num: number;
                    den: number;
                    drop_frame: boolean;
                  } | null;
                  /** RFC 3339, UTC, with milliseconds */
                  wallclock_at: string | null;
                  period: number | null;
                  /** As fed */
                  clock_ms: number | null;
                  /** As broadcast, from 1: 45+2 is minute 45, stoppage 2 */
                  minute: number | null;
                  stoppage: number | null;
                  match: number | null;
                  match_label: string | null;
                  clubs: {
                    id: number;
                    label: string;
                    side: 'home' | 'away' | null;
                  }[];
                  players: {
                    id: number;
                    label: string;
                    role: string | null;
                    shirt: number | null;
                  }[];
                  outcome: string | null;
                  /** 0..100, attack from left to right */
                  x: number | null;
                  y: number | null;
                  end_x: number | null;
                  end_y: number | null;
                  tag_options: Shape51[];
                  details: {
                    [name: string]: unknown;
                  };
                  source: string;
                  source_ref: string | null;
                  source_version: number | null;
                  confidence: number | null;
                  status: 'draft' | 'confirmed' | 'disputed' | 'retracted';
                  parent_id: number | null;
                  version: number;
                  /** RFC 3339, UTC, with milliseconds */
                  created_at: string;
                  /** RFC 3339, UTC, with milliseconds */
                  updated_at: string;
                  /** Name of the API key */
                  created_by: string | null;
                  updated_by: string | null;
                  /** Every video that shows it, its own first */
                  angles: Shape27[];
                  /** Where a clip begins: start_ms, or for a point the lead of its type before it */
                  in_ms: number;
                  out_ms: number;
                };
              }[];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/action/search': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Search actions */
    post: {
      parameters: {
        query?: never;
        header?: {
          /** Of an earlier answer: sees the library at that version or a later one, on whatever node */
          'X-Library-Version'?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** Of an action type the ID, or the key such as goal. An action has one type: a list means any of them. */
            type?:
              | number
              | string
              | (number | string)[]
              | {
                  any?: (number | string)[];
                  none?: (number | string)[];
                };
            tag_options?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            player?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            club?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            stadium?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            competition?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            season?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            match?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            sponsor?:
              | number
              | number[]
              | {
                  all?: number[];
                  any?: number[];
                  none?: number[];
                  only?: number[];
                };
            /** A role such as scorer, or a list (any of them). Beside `player`: the role of those players in the action, given as a value, a list, eq or in. Otherwise that of any player; ne: no player has it. */
            role?:
              | string
              | string[]
              | {
                  eq?: string;
                  ne?: string;
                  in?: string[];
                  exists?: boolean;
                };
            /** The asset, or one of several, in which the action lies. */
            media_id?: number | number[];
            status?: Shape18;
            outcome?:
              | string
              | string[]
              | {
                  eq?: string;
                  ne?: string;
                  in?: string[];
                  exists?: boolean;
                };
            source?:
              | string
              | string[]
              | {
                  eq?: string;
                  ne?: string;
                  in?: string[];
                  exists?: boolean;
                };
            angle?:
              | string
              | string[]
              | {
                  eq?: string;
                  ne?: string;
                  in?: string[];
                  exists?: boolean;
                };
            start_ms?: Shape39;
            period?: Shape39;
            clock_ms?: Shape39;
            minute?: Shape39;
            stoppage?: Shape39;
            confidence?: Shape39;
            wallclock_at?: Shape40;
            created_at?: Shape40;
            updated_at?: Shape40;
            /** Words in label and details of the action, and in labels and aliases of its tag options. All of them must occur; the last one may be the beginning of a word. "words in quotes" follow one another; -word excludes. */
            text?: string;
            all?: components['schemas']['ActionFilter'][];
            any?: components['schemas']['ActionFilter'][];
            none?: components['schemas']['ActionFilter'][];
            media?: components['schemas']['Filter'];
            /** Default -created_at; ties in the same direction; actions without a value come last. relevance and -relevance both put the best first */
            sort?:
              | 'created_at'
              | '-created_at'
              | 'updated_at'
              | '-updated_at'
              | 'start_ms'
              | '-start_ms'
              | 'clock_ms'
              | '-clock_ms'
              | 'wallclock_at'
              | '-wallclock_at'
              | 'relevance'
              | '-relevance';
            /** Default 50; 0 = total and facets only */
            limit?: number;
            /** next_cursor of the page before */
            cursor?: string;
            page?: number;
            /** Counts by value over every action the search finds; at most 20, each field once */
            facets?: (
              | 'type'
              | 'tag_options'
              | 'player'
              | 'club'
              | 'stadium'
              | 'competition'
              | 'season'
              | 'match'
              | 'sponsor'
              | 'tag'
              | 'status'
              | 'outcome'
              | 'source'
              | 'angle'
              | 'role'
              | 'period'
              | 'minute'
              | {
                  field:
                    | 'type'
                    | 'tag_options'
                    | 'player'
                    | 'club'
                    | 'stadium'
                    | 'competition'
                    | 'season'
                    | 'match'
                    | 'sponsor'
                    | 'tag'
                    | 'status'
                    | 'outcome'
                    | 'source'
                    | 'angle'
                    | 'role'
                    | 'period'
                    | 'minute';
                  /** Default 30: the largest counts */
                  limit?: number;
                  /** Counts without the filter's tests of this field that must hold by themselves (at the root and within all); for `tag` those of tag_options */
                  disjunctive?: boolean;
                }
            )[];
            /** media: the assets of the actions on the page, each once, beside them. Default [] */
            include?: 'media'[];
          };
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              actions: components['schemas']['Action'][];
              /** With include: media, in order of the actions */
              media?: components['schemas']['Media'][];
              /** Exact, over all pages */
              total: number;
              next_cursor: string | null;
              /** By field: id and label of tag options, value of everything else */
              facets?: Shape33;
              request_id: string;
              took_ms: number;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/action/{id}/clip': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Cut an action out of its video */
    post: {
      parameters: {
        query?: never;
        header?: {
          /** The first 2xx answer is kept for 24 h and answered again to the same request */
          'Idempotency-Key'?: string;
          /** wait=30: answer when it is ready or failed, after 30 s at most */
          Prefer?: string;
        };
        path: { id: number };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** Shown before the start; by default 0, or for a point that of its type */
            lead_ms?: number;
            /** Shown after the end; by default 0, or for a point that of its type */
            lag_ms?: number;
            /** Crops to the focal point of the video, else to the faces at the moment of the action, else to the centre */
            aspect?: 'original' | '16:9' | '1:1' | '9:16';
            /** At most this many pixels high; never enlarged */
            height?: number;
            /** download: a file behind a signed URL for 7 days; asset: a new video of the library, tagged as the action */
            output?: 'download' | 'asset';
            /** Of the file */
            name?: string;
            /** Another video that the action lies in, such as a second camera */
            media_id?: number;
          };
        };
      };
      responses: {
        202: Shape56;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clip': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List clips, newest first */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              clips: components['schemas']['Clip'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Cut several actions, or parts of videos, into one file */
    post: {
      parameters: Shape23;
      requestBody: {
        content: {
          'application/json': {
            /** Actions in the order of the reel */
            actions?: number[];
            /** Cuts in the order of the reel; half open, at least one frame */
            segments?: {
              media_id: number;
              /** ms from the start of the video */
              in_ms: number;
              /** ms from the start of the video */
              out_ms: number;
            }[];
            /** Shown before the start; by default 0, or for a point that of its type */
            lead_ms?: number;
            /** Shown after the end; by default 0, or for a point that of its type */
            lag_ms?: number;
            /** Crops to the focal point of the video, else to the faces at the moment of the action, else to the centre */
            aspect?: 'original' | '16:9' | '1:1' | '9:16';
            /** At most this many pixels high; never enlarged */
            height?: number;
            /** download: a file behind a signed URL for 7 days; asset: a new video of the library, tagged as the action */
            output?: 'download' | 'asset';
            /** Of the file */
            name?: string;
          };
        };
      };
      responses: {
        202: Shape56;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clip/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a clip: how far it is, and its file when it is ready */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape56;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Cancel a clip that is not ready yet, or remove one with its files */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/clip-file/{organization}/{clip}/{nonce}/{name}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** The file or poster of a clip, by the URL the API answered */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { organization: number; clip: number; nonce: string; name: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        404: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/destination': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List destinations */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              destinations: components['schemas']['Destination'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Create a destination */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            name: string;
            /** Where it is: what the kind asks for (docs/delivery.md) */
            config: {
              [name: string]: unknown;
            };
            /** Passwords and keys of the kind. Write-only: no answer shows them; they are encrypted where they are kept */
            secrets?: {
              [name: string]: unknown;
            };
            /** Default {captured_at:yyyy/MM/dd}/{media.name}-{media.id}-{quality}.{media.ext}; see docs/delivery.md */
            path_template?: string;
            /** When the target has a file of the name. Default skip_same */
            collision?: 'overwrite' | 'skip_same' | 'suffix' | 'fail';
            /** Of each asset. Default photographer */
            qualities?: ('photographer' | 'compressed' | 'thumbnail')[];
            /** A file beside each, named as it with .json or .xmp behind */
            sidecar?: 'none' | 'json' | 'xmp';
            /** Writes the present texts, tags and credits into the copies as IPTC, XMP and EXIF */
            embed_metadata?: boolean;
            /** Files at a time. Default 4 */
            concurrency?: number;
            /** Bytes a second that all deliveries to it send together; null: no limit */
            bandwidth_limit?: number | null;
            /** When deliveries may start. What runs when it closes may finish */
            window?: Shape30 | null;
            /** Nothing starts while it is true; what runs may finish */
            paused?: boolean;
            /** A picture made of each asset, where a request asks for nothing else; null: qualities */
            rendition?: Shape36 | null;
            /** folder, s3, sftp... */
            kind: string;
          };
        };
      };
      responses: {
        201: Shape44;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/destination/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a destination */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape44;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a destination with its deliveries */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change a destination */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            name?: string;
            /** JSON Merge Patch */
            config?: {
              [name: string]: unknown;
            };
            /** Takes the place of all secrets; null removes them */
            secrets?: {
              [name: string]: unknown;
            } | null;
            /** Default {captured_at:yyyy/MM/dd}/{media.name}-{media.id}-{quality}.{media.ext}; see docs/delivery.md */
            path_template?: string;
            /** When the target has a file of the name. Default skip_same */
            collision?: 'overwrite' | 'skip_same' | 'suffix' | 'fail';
            /** Of each asset. Default photographer */
            qualities?: ('photographer' | 'compressed' | 'thumbnail')[];
            /** A file beside each, named as it with .json or .xmp behind */
            sidecar?: 'none' | 'json' | 'xmp';
            /** Writes the present texts, tags and credits into the copies as IPTC, XMP and EXIF */
            embed_metadata?: boolean;
            /** Files at a time. Default 4 */
            concurrency?: number;
            /** Bytes a second that all deliveries to it send together; null: no limit */
            bandwidth_limit?: number | null;
            /** When deliveries may start. What runs when it closes may finish */
            window?: Shape30 | null;
            /** Nothing starts while it is true; what runs may finish */
            paused?: boolean;
            /** A picture made of each asset, where a request asks for nothing else; null: qualities */
            rendition?: Shape36 | null;
          };
        };
      };
      responses: {
        200: Shape44;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/destination/{id}/verify': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Verify a destination: write a probe, read it back, delete it */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              destination: components['schemas']['Destination'];
              /** How far it got. The failure of the destination says what went wrong */
              steps: {
                step: 'connect' | 'write' | 'read' | 'delete' | 'send';
                /** not_reached: a step before it failed */
                status: 'done' | 'failed' | 'not_reached';
              }[];
              /** The fingerprint that an SFTP server has shown, where config has none or another. When it is the right one, PATCH config.host_key to it */
              host_key: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/destination/{id}/preview': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Preview the paths that assets get at a destination */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            media_ids: number[];
            /** Instead of that of the destination */
            path_template?: string;
            qualities?: ('photographer' | 'compressed' | 'thumbnail')[];
            /** A picture made of each asset in place of qualities */
            rendition?: Shape36;
          };
        };
      };
      responses: {
        200: Shape24;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/destination/preview': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Preview the paths that assets would get at a destination of a kind */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            media_ids: number[];
            /** Default as for a new destination */
            path_template?: string;
            qualities?: ('photographer' | 'compressed' | 'thumbnail')[];
            /** A picture made of each asset in place of qualities */
            rendition?: Shape36;
            /** folder, s3, sftp... */
            kind: string;
          };
        };
      };
      responses: {
        200: Shape24;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/delivery': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List deliveries, newest first */
    get: {
      parameters: {
        query?: {
          destination?: number;
          media?: number;
          state?: 'queued' | 'running' | 'succeeded' | 'failed' | 'exhausted' | 'cancelled' | 'skipped';
          batch?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              deliveries: components['schemas']['Delivery'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Deliver assets to a destination */
    post: {
      parameters: Shape17;
      requestBody: {
        content: {
          'application/json': {
            destination_id: number;
            /** Either these assets */
            media_ids?: number[];
            filter?: components['schemas']['Filter'];
            /** or these clips; one that is not ready yet is delivered when it is */
            clip_ids?: number[];
            quality?: 'photographer' | 'compressed' | 'thumbnail';
            /** Several. Default what the destination has */
            qualities?: ('photographer' | 'compressed' | 'thumbnail')[];
            /** A picture made of each asset in place of qualities */
            rendition?: Shape36;
            /** In place of that of the destination */
            path_template?: string;
            /** In place of that of the destination */
            collision?: 'overwrite' | 'skip_same' | 'suffix' | 'fail';
            /** In place of that of the destination */
            sidecar?: 'none' | 'json' | 'xmp';
            /** In place of that of the destination */
            embed_metadata?: boolean;
            /** Also what has been delivered to the same path before */
            again?: boolean;
            /** Also assets that are limited, embargoed or expired; needs the scope admin too */
            include_restricted?: boolean;
            /** Answers what would be delivered where, and does nothing */
            dry_run?: boolean;
          };
        };
      };
      responses: {
        200: Shape13;
        202: Shape13;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/delivery/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a delivery: how far it is, its tries, and its receipt */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape50;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Cancel a delivery */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        200: Shape50;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/delivery/{id}/replay': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Deliver again what failed, was exhausted or cancelled */
    post: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        200: Shape50;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/delivery-file/{organization}/{delivery}/{name}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** What a delivery brings, by the URL that its target was told */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { organization: number; delivery: number; name: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        404: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rule': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List rules, in the order in which they run */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              rules: components['schemas']['Rule'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Create a rule */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            name: string;
            /** Events of the change feed that it waits for */
            on: (
              | 'media.created'
              | 'media.ready'
              | 'media.updated'
              | 'media.tags_changed'
              | 'media.restored'
              | 'action.created'
              | 'action.updated'
              | 'clip.ready'
            )[];
            /** What is done, in this order */
            then: {
              do: 'deliver' | 'add_tags' | 'remove_tags' | 'set_usage' | 'webhook' | 'clip';
            }[];
            /** Default true */
            enabled?: boolean;
            filter?: components['schemas']['Filter'];
          };
        };
      };
      responses: {
        201: Shape57;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rule/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a rule */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape57;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a rule with its runs */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change a rule */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            name?: string;
            /** true also lets a rule run again that was paused or broken */
            enabled?: boolean;
            /** Events of the change feed that it waits for */
            on?: (
              | 'media.created'
              | 'media.ready'
              | 'media.updated'
              | 'media.tags_changed'
              | 'media.restored'
              | 'action.created'
              | 'action.updated'
              | 'clip.ready'
            )[];
            /** JSON Merge Patch of the filter; null removes a member */
            filter?: {
              [name: string]: unknown;
            };
            /** What is done, in this order */
            then?: {
              do: 'deliver' | 'add_tags' | 'remove_tags' | 'set_usage' | 'webhook' | 'clip';
            }[];
          };
        };
      };
      responses: {
        200: Shape57;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/rule/{id}/run': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List what a rule did, newest first */
    get: {
      parameters: {
        query?: { media?: number; state?: 'succeeded' | 'stopped' | 'failed'; limit?: number; cursor?: string };
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              runs: components['schemas']['RuleRun'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rule/{id}/dry_run': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** See what a rule would do about past events, or assets */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** Events after this one */
            after?: number;
            /** Events of so many days. Default 1 */
            days?: number;
            /** These assets, as if one of the events came now */
            media_ids?: number[];
            /** Runs. Default 50 */
            limit?: number;
            cursor?: string;
          };
        };
      };
      responses: {
        200: Shape3;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rule/dry_run': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** See what a rule would do that is not made yet */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** Events of the change feed that it waits for */
            on: (
              | 'media.created'
              | 'media.ready'
              | 'media.updated'
              | 'media.tags_changed'
              | 'media.restored'
              | 'action.created'
              | 'action.updated'
              | 'clip.ready'
            )[];
            filter?: components['schemas']['Filter'];
            /** What is done, in this order */
            then: {
              do: 'deliver' | 'add_tags' | 'remove_tags' | 'set_usage' | 'webhook' | 'clip';
            }[];
            /** Events after this one */
            after?: number;
            /** Events of so many days. Default 1 */
            days?: number;
            /** These assets, as if one of the events came now */
            media_ids?: number[];
            /** Runs. Default 50 */
            limit?: number;
            cursor?: string;
          };
        };
      };
      responses: {
        200: Shape3;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/delivery/batch': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List requests of deliveries, newest first, with how far each is */
    get: {
      parameters: {
        query?: {
          destination?: number;
          /** With at least one delivery in this state */
          state?: 'queued' | 'running' | 'succeeded' | 'failed' | 'exhausted' | 'cancelled' | 'skipped';
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              batches: components['schemas']['DeliveryBatch'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/delivery/batch/{batch}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** How far the deliveries of one request are */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { batch: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              batch: components['schemas']['DeliveryBatch'];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Cancel what waits or runs of one request */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: { batch: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              batch: components['schemas']['DeliveryBatch'];
              cancelled: number;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/delivery/batch/{batch}/replay': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Deliver again what failed, was exhausted or cancelled of one request */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { batch: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              batch: components['schemas']['DeliveryBatch'];
              replayed: number;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/event': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read the change feed */
    get: {
      parameters: {
        query?: {
          /** The `after` of the answer before; 0: from the oldest event that is kept */ after?: number;
          limit?: number;
          /** Types with commas between them; media.* stands for all that begin so */
          types?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              events: {
                /** The version of the library that the change led to; counts up without end */
                id: number;
                type:
                  | 'media.created'
                  | 'media.ready'
                  | 'media.failed'
                  | 'media.updated'
                  | 'media.tags_changed'
                  | 'media.deleted'
                  | 'media.restored'
                  | 'media.purged'
                  | 'action.created'
                  | 'action.updated'
                  | 'action.retracted'
                  | 'tag_option.created'
                  | 'tag_option.updated'
                  | 'tag_option.merged'
                  | 'tag_option.deleted'
                  | 'collection.created'
                  | 'collection.updated'
                  | 'collection.deleted'
                  | 'detail_field.created'
                  | 'detail_field.updated'
                  | 'detail_field.deleted'
                  | 'saved_search.created'
                  | 'saved_search.updated'
                  | 'saved_search.deleted'
                  | 'saved_search.matched'
                  | 'rule.created'
                  | 'rule.updated'
                  | 'rule.deleted'
                  | 'rule.matched'
                  | 'rule.paused'
                  | 'rule.broken'
                  | 'clip.ready'
                  | 'clip.failed'
                  | 'delivery.queued'
                  | 'delivery.succeeded'
                  | 'delivery.failed'
                  | 'delivery.exhausted'
                  | 'destination.created'
                  | 'destination.updated'
                  | 'destination.deleted'
                  | 'destination.verified'
                  | 'destination.degraded'
                  | 'webhook.disabled'
                  | 'api_key.created'
                  | 'api_key.revoked'
                  | 'face_settings.updated'
                  | 'image_settings.updated'
                  | 'image_key.created'
                  | 'image_key.revoked'
                  | 'image_preset.created'
                  | 'image_preset.updated'
                  | 'image_preset.deleted'
                  | 'watermark.created'
                  | 'watermark.updated'
                  | 'watermark.deleted';
                /** RFC 3339, UTC, with milliseconds */
                created_at: string;
                object: {
                  /** Such as media or action */
                  kind: string;
                  id: number;
                };
                /** What the type adds, such as media_ids */
                data: {
                  [name: string]: unknown;
                };
              }[];
              /** Where to go on; the same again when there is nothing new */
              after: number;
              has_more: boolean;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        410: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/event/stream': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Follow the change feed as Server-Sent Events */
    get: {
      parameters: {
        query?: {
          /** Events behind this one; without it and without Last-Event-ID: those from now on */ after?: number;
          /** Types with commas between them; media.* stands for all that begin so */
          types?: string;
          /** Also how far deliveries, clips and edits of many assets are, as messages `progress` without an id */
          progress?: 'true' | 'false';
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'text/event-stream': string;
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        410: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List webhooks */
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              webhooks: components['schemas']['Webhook'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Create a webhook */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            name: string;
            /** https, to an address in the public internet; others only where the setting OUTBOUND_ALLOW has them */
            url: string;
            /** Types of GET /v1/event; media.* stands for all that begin so, * for all. Default * */
            types?: string[];
            /** First tries at a time. Default 1: messages are tried first in the order of their events */
            concurrency?: number;
          };
        };
      };
      responses: {
        201: Shape29;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook/{id}/rotate': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Give a webhook a new secret */
    post: {
      parameters: {
        query?: never;
        header?: {
          /** The first 2xx answer is kept for 24 h and answered again to the same request */
          'Idempotency-Key'?: string;
          /** ETag of the object as it was read; 412 when it has changed since */
          'If-Match'?: string;
        };
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape29;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a webhook */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape52;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a webhook with its messages */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change, disable or enable a webhook */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            name?: string;
            /** https, to an address in the public internet; others only where the setting OUTBOUND_ALLOW has them */
            url?: string;
            /** Types of GET /v1/event; media.* stands for all that begin so, * for all. Default * */
            types?: string[];
            /** First tries at a time. Default 1: messages are tried first in the order of their events */
            concurrency?: number;
            /** active: goes on where it stopped; nothing was left out meanwhile */
            status?: 'active' | 'disabled';
          };
        };
      };
      responses: {
        200: Shape52;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/webhook/{id}/test': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Send a ping to a webhook */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              /** Answered with 2xx */
              delivered: boolean;
              /** RFC 3339, UTC, with milliseconds */
              started_at: string;
              duration_ms: number;
              status_code: number | null;
              /** Such as status, timeout, unreachable or address_refused */
              error_code: string | null;
              error: string | null;
              /** The beginning of what was answered */
              excerpt: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook/{id}/message': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List the messages of a webhook with their tries, newest first */
    get: {
      parameters: {
        query?: { state?: 'pending' | 'delivered' | 'failed'; limit?: number; cursor?: string };
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              messages: components['schemas']['WebhookMessage'][];
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook/{id}/message/{message}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a message of a webhook, and what it says */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number; message: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              message: components['schemas']['WebhookMessage'];
              /** What is posted; null when the event is not kept any more */
              payload: {
                type: string;
                /** RFC 3339, UTC, with milliseconds */
                timestamp: string;
                /** The event */
                data: {
                  [name: string]: unknown;
                };
              } | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook/{id}/message/{message}/replay': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Send a message again, with up to 10 tries */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number; message: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              message: components['schemas']['WebhookMessage'];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook/{id}/replay': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Send a webhook all events of a range again */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** Events behind this one */
            after: number;
            /** and in front of this one. Default: all up to `position` */
            before?: number;
          };
        };
      };
      responses: {
        202: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              queued: number;
              /** How far it went: where the next request goes on */
              after: number;
              /** True when there were more than 10,000 */
              has_more: boolean;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        410: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/{id}/face/{n}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Say whose face it is */
    patch: {
      parameters: {
        query?: never;
        header?: {
          /** ETag of the object as it was read; 412 when it has changed since */ 'If-Match'?: string;
        };
        path: {
          id: number;
          /** Place in faces, from 0 */
          n: number;
        };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** A player */
            tag_option_id: number | null;
          };
        };
      };
      responses: {
        200: Shape55;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/media/{id}/action/export': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Write the actions of a video into a file */
    get: {
      parameters: {
        query: {
          format: 'sportscode_xml' | 'webvtt' | 'edl' | 'csv' | 'json_lines';
          status?: 'draft' | 'confirmed' | 'disputed' | 'retracted';
        };
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': string;
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/face-settings': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read the face settings */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape28;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Change the face settings (JSON Merge Patch) */
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** Describe faces by numbers, compare them with those that are linked to players, and suggest players */
            suggestions?: boolean;
          };
        };
      };
      responses: {
        200: Shape28;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/image-settings': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read the image settings */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape16;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Change the image settings (JSON Merge Patch) */
    patch: {
      parameters: {
        query?: never;
        header?: {
          /** ETag of the object as it was read; 412 when it has changed since */ 'If-Match'?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            /** open: anyone may ask for any image; presets: anyone for presets (p), with at most dpr, fmt and dl; signed: signed URLs only. URLs that the API answers open in every mode */
            mode?: 'open' | 'presets' | 'signed';
          };
        };
      };
      responses: {
        200: Shape16;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/image-key': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List the keys that image URLs are signed with */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              image_keys: components['schemas']['ImageKey'][];
              /** Always null: two live keys, and the last revoked ones */
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Create a key to sign image URLs with */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            name: string;
          };
        };
      };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              image_key: components['schemas']['ImageKey'];
              /** Shown here once and never again; its bytes are the key of the HMAC */
              secret: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/image-key/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    /** Revoke an image key for good */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              image_key: components['schemas']['ImageKey'];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/image-preset': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List image presets, by name */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              image_presets: components['schemas']['ImagePreset'][];
              /** Always null: there are at most 200 presets */
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Define an image preset: image parameters under a name, used as p=<name> */
    post: {
      parameters: Shape35;
      requestBody: {
        content: {
          'application/json': {
            /** What stands in the URL */
            name: string;
            /** Image parameters by name, as in a URL (docs/images.md) */
            parameters: {
              [name: string]: string | number;
            };
          };
        };
      };
      responses: {
        201: Shape42;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/image-preset/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read an image preset */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape42;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete an image preset */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    /** Change an image preset (JSON Merge Patch) */
    patch: {
      parameters: Shape38;
      requestBody: {
        content: {
          'application/json': {
            /** What stands in the URL */
            name?: string;
            /** Merged with those that are there; null removes one */
            parameters?: {
              [name: string]: string | number | null;
            };
          };
        };
      };
      responses: {
        200: Shape42;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/watermark': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List watermarks, by name */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              watermarks: components['schemas']['Watermark'][];
              /** Always null: there are at most 50 watermarks */
              next_cursor: string | null;
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Keep a watermark, used as wm=<name> */
    post: {
      parameters: Shape23;
      requestBody: {
        content: {
          'multipart/form-data': {
            metadata: {
              /** What stands in the URL */
              name: string;
              /** Centre, or towards a side or corner by compass. Default se */
              position?: 'center' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';
              /** Default 1 */
              opacity?: number;
              /** Its width as a share of the image's. Default 0.2 */
              scale?: number;
              /** Room to the edges as a share of the image's shorter side. Default 0.03 */
              margin?: number;
            };
            file: string;
          };
        };
      };
      responses: {
        200: Shape48;
        201: Shape48;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        413: Shape58;
        415: Shape58;
        422: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/watermark/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read a watermark */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape48;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    /** Delete a watermark */
    delete: {
      parameters: Shape38;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/media/{id}/download': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Download a file of an asset, with its present metadata where asked */
    get: {
      parameters: {
        query?: {
          quality?: 'photographer' | 'compressed' | 'thumbnail';
          /** none: as stored, byte for byte. embed: a copy with the present details, tags and faces as IPTC, XMP and EXIF. sidecar: these as an XMP file alone */
          metadata?: 'none' | 'embed' | 'sidecar';
        };
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/octet-stream': string;
          };
        };
        206: {
          headers: { [name: string]: unknown };
          content: {
            'application/octet-stream': string;
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        415: Shape58;
        422: Shape58;
        429: Shape58;
        501: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/file/{organization}/{media}/{token}/{name}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** A file of an asset, by the URL the API answered */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { organization: number; media: number; token: string; name: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        404: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/img/{organization}/{media}/{file}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** An image of an asset, made to measure */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { organization: number; media: number; file: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        400: Shape58;
        403: Shape58;
        404: Shape58;
        410: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tag/bulk': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Create or change many tag options by external id */
    post: {
      parameters: {
        query?: {
          /** With application/x-ndjson: active options of this type with an external id of this source that are not in the stream are deactivated at its end, unless an item failed */
          deactivate_missing?: string;
          /** With application/x-ndjson, true: says what each line would do, and changes nothing */
          preview?: 'true' | 'false';
        };
        header?: {
          /** The first 2xx answer is kept for 24 h and answered again to the same request */
          'Idempotency-Key'?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': {
            tag_options: Shape1[];
          };
          'application/x-ndjson': Shape1;
        };
      };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              results: {
                index: number;
                status: 'created' | 'updated' | 'unchanged' | 'failed';
                id?: number;
                error?: {
                  code: string;
                  detail: string;
                  errors: {
                    pointer: string;
                    code: string;
                    detail: string;
                  }[];
                };
              }[];
            };
            'application/x-ndjson':
              | {
                  index: number;
                  status: 'created' | 'updated' | 'unchanged' | 'failed';
                  id?: number;
                  error?: {
                    code: string;
                    detail: string;
                    errors: {
                      pointer: string;
                      code: string;
                      detail: string;
                    }[];
                  };
                  /** Of an item that failed: its line, counted from 1 */
                  line?: number;
                }
              | {
                  /** False when the stream ended early; error says why */
                  done: boolean;
                  created: number;
                  updated: number;
                  unchanged: number;
                  failed: number;
                  deactivated: number;
                  /** Why deactivate_missing was left out */
                  not_deactivated?: string;
                  /** Send it as X-Library-Version to see everything that was written */
                  version: number;
                }
              | {
                  done: boolean;
                  error: {
                    code: string;
                    detail: string;
                    errors: {
                      pointer: string;
                      code: string;
                      detail: string;
                    }[];
                  };
                };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        413: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/upload': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Begin a resumable upload (tus 1.0) */
    post: {
      parameters: {
        query?: never;
        header?: {
          /** Version of tus: 1.0.0 */ 'Tus-Resumable'?: string;
          /** Bytes of the whole file */
          'Upload-Length'?: number;
          /** Pairs of a key and a value in Base64, with commas between: filename, and the fields of an upload (name, external_id, captured_at, rating, usage, usage_at, tag_options, collections, details), or all fields as JSON under metadata. tag_options and collections are IDs with commas between, details is JSON; filetype is ignored */
          'Upload-Metadata'?: string;
          /** The first 2xx answer is kept for 24 h and answered again to the same request */
          'Idempotency-Key'?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        201: Shape54;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        409: Shape58;
        412: Shape58;
        413: Shape58;
        415: Shape58;
        422: Shape58;
        423: Shape58;
        429: Shape58;
        460: Shape58;
        503: Shape58;
        507: Shape58;
      };
    };
    delete?: never;
    /** Ask what resumable uploads can do */
    options: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/upload/{id}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Read how far an upload is, and which asset it has become */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Shape54;
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    put?: never;
    /** Send PATCH, HEAD or DELETE as POST */
    post: {
      parameters: {
        query?: never;
        header?: {
          /** Version of tus: 1.0.0 */ 'Tus-Resumable'?: string;
          /** Where the bytes go: where the upload stands */
          'Upload-Offset'?: number;
          /** sha1, sha256, sha512 or md5 of the body, a space, and the checksum in Base64. The body counts whole or not at all */
          'Upload-Checksum'?: string;
          /** PATCH, HEAD or DELETE */
          'X-HTTP-Method-Override'?: string;
        };
        path: { id: number };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/offset+octet-stream': string;
        };
      };
      responses: {
        200: { headers: { [name: string]: unknown }; content?: never };
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        413: Shape58;
        415: Shape58;
        422: Shape58;
        423: Shape58;
        429: Shape58;
        460: Shape58;
        503: Shape58;
        507: Shape58;
      };
    };
    /** End an upload and forget its bytes */
    delete: {
      parameters: Shape49;
      requestBody?: never;
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        423: Shape58;
        429: Shape58;
        460: Shape58;
        503: Shape58;
        507: Shape58;
      };
    };
    options?: never;
    /** Ask where to go on with an upload */
    head: {
      parameters: Shape49;
      requestBody?: never;
      responses: {
        200: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        412: Shape58;
        423: Shape58;
        429: Shape58;
        460: Shape58;
        503: Shape58;
        507: Shape58;
      };
    };
    /** Send the next bytes of an upload */
    patch: {
      parameters: {
        query?: never;
        header?: {
          /** Version of tus: 1.0.0 */ 'Tus-Resumable'?: string;
          /** Where the bytes go: where the upload stands */
          'Upload-Offset'?: number;
          /** sha1, sha256, sha512 or md5 of the body, a space, and the checksum in Base64. The body counts whole or not at all */
          'Upload-Checksum'?: string;
        };
        path: { id: number };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/offset+octet-stream': string;
        };
      };
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        412: Shape58;
        413: Shape58;
        415: Shape58;
        422: Shape58;
        423: Shape58;
        429: Shape58;
        460: Shape58;
        503: Shape58;
        507: Shape58;
      };
    };
    trace?: never;
  };
  '/v1/media/{id}/action/import': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    /** Import a file of events as actions */
    post: {
      parameters: {
        query?: {
          format?: 'sportscode_xml' | 'opta_f24' | 'statsbomb_json' | 'csv' | 'json_lines' | 'webvtt' | 'edl';
          /** strict: any fault or unknown name refuses the whole file. lenient: takes what can be taken; unknown types, players and clubs become tag options of the category imported. */
          mode?: 'strict' | 'lenient';
          /** true: says what an import would do, and changes nothing */
          preview?: 'true' | 'false';
          /** Instead of the format's own, such as feed:opta */
          source?: string;
        };
        header?: never;
        path: { id: number };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            'application/json': {
              format: 'sportscode_xml' | 'opta_f24' | 'statsbomb_json' | 'csv' | 'json_lines' | 'webvtt' | 'edl';
              preview: boolean;
              counts: {
                events: number;
                created: number;
                updated: number;
                unchanged: number;
                /** A newer version of the event is in the library */
                stale: number;
                /** Withdrawn by the file */
                retracted: number;
                /** Withdrawn by the file, and never known */
                ignored: number;
                failed: number;
              };
              unknown: {
                kind: 'type' | 'player' | 'club' | 'match';
                name: string;
                reason: 'unknown' | 'ambiguous' | 'deactivated';
                /** Events that name it */
                count: number;
                /** Tag options it may mean */
                candidates: number[];
                created_id: number | null;
              }[];
              /** What could not be read, the first 1,000 */
              problems: {
                index: number;
                line: number | null;
                field: string;
                message: string;
              }[];
              /** Events that were not taken, the first 1,000 */
              errors: {
                index: number;
                line: number | null;
                ref: string;
                code: string;
                pointer: string;
                detail: string;
              }[];
              /** What became of the first 1,000 events, in the order of the file */
              actions: {
                index: number;
                line: number | null;
                ref: string;
                result: string;
                id: number | null;
              }[];
            };
          };
        };
        400: Shape58;
        401: Shape58;
        403: Shape58;
        404: Shape58;
        409: Shape58;
        413: Shape58;
        429: Shape58;
        503: Shape58;
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
};

export type components = {
  schemas: {
    /** application/problem+json (RFC 9457); code is one of docs/errors.md */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      code: string;
      request_id: string;
      errors: {
        pointer: string;
        code: string;
        detail: string;
      }[];
      required?: string[];
      missing?: string[];
      unknown?: number[];
      oldest_after?: number;
    };
    /** All members must hold together on one action. Without a test of `status`, retracted actions are not found. `minute` is the minute as broadcast: 90 finds 90+3 too, whose `stoppage` is 3. Depth and number of tests count with those of the search around (6 and 200). */
    ActionFilter: {
      /** Of an action type the ID, or the key such as goal. An action has one type: a list means any of them. */
      type?:
        | number
        | string
        | (number | string)[]
        | {
            any?: (number | string)[];
            none?: (number | string)[];
          };
      tag_options?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      player?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      club?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      stadium?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      competition?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      season?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      match?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      sponsor?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      /** A role such as scorer, or a list (any of them). Beside `player`: the role of those players in the action, given as a value, a list, eq or in. Otherwise that of any player; ne: no player has it. */
      role?:
        | string
        | string[]
        | {
            eq?: string;
            ne?: string;
            in?: string[];
            exists?: boolean;
          };
      /** The asset, or one of several, in which the action lies. */
      media_id?: number | number[];
      status?: Shape18;
      outcome?:
        | string
        | string[]
        | {
            eq?: string;
            ne?: string;
            in?: string[];
            exists?: boolean;
          };
      source?:
        | string
        | string[]
        | {
            eq?: string;
            ne?: string;
            in?: string[];
            exists?: boolean;
          };
      angle?:
        | string
        | string[]
        | {
            eq?: string;
            ne?: string;
            in?: string[];
            exists?: boolean;
          };
      start_ms?: Shape39;
      period?: Shape39;
      clock_ms?: Shape39;
      minute?: Shape39;
      stoppage?: Shape39;
      confidence?: Shape39;
      wallclock_at?: Shape40;
      created_at?: Shape40;
      updated_at?: Shape40;
      /** Words in label and details of the action, and in labels and aliases of its tag options. All of them must occur; the last one may be the beginning of a word. "words in quotes" follow one another; -word excludes. */
      text?: string;
      all?: components['schemas']['ActionFilter'][];
      any?: components['schemas']['ActionFilter'][];
      none?: components['schemas']['ActionFilter'][];
    };
    /** All members must hold. Nested to depth 6 with at most 200 tests. Without a test of `status`, assets that are processing or ready are found; those in the bin only by asking for deleted. */
    Filter: {
      tag_options?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      player?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      club?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      stadium?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      competition?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      season?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      match?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      sponsor?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      collection?:
        | number
        | number[]
        | {
            all?: number[];
            any?: number[];
            none?: number[];
            only?: number[];
          };
      media_type?: Shape26;
      captured_at?: Shape40;
      created_at?: Shape40;
      updated_at?: Shape40;
      width?: Shape39;
      height?: Shape39;
      orientation?: Shape12;
      duration_ms?: Shape39;
      people_count?: Shape39;
      rating?: Shape39;
      usage?: Shape9;
      status?: Shape7;
      /** Case-insensitive part of the file name. */
      name?: string;
      /** Words in name, details, and the labels and aliases of tag options on the asset. All of them must occur; the last one may be the beginning of a word. "words in quotes" follow one another; -word excludes. */
      text?: string;
      /** Tests of the organization's detail fields by key. text, choice: a value, a list (= in), or eq, ne, in, contains (a part, case-insensitive), exists. number, date: a value, a list (= in), or eq, ne, in, gt, gte, lt, lte, exists. list: a text or a list (= all of them), or all, any, none, exists */
      details?: Shape15;
      action?: components['schemas']['ActionFilter'];
      all?: components['schemas']['Filter'][];
      any?: components['schemas']['Filter'][];
      none?: components['schemas']['Filter'][];
    };
    Media: {
      id: number;
      media_type: 'photo' | 'video';
      status: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      failure: {
        code: string;
        reason: string;
      } | null;
      name: string;
      external_id: string | null;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      /** RFC 3339, UTC, with milliseconds */
      captured_at: string | null;
      /** The camera's clock, minutes east of UTC */
      captured_offset_minutes: number | null;
      width: number | null;
      height: number | null;
      orientation: 'landscape' | 'portrait' | 'square' | null;
      duration_ms: number | null;
      frame_rate: {
        num: number;
        den: number;
      } | null;
      video: {
        [name: string]: unknown;
      } | null;
      /** What ties a video to its match, so that the clock and the time of day are positions in it */
      timeline: Shape34 | null;
      bytes: number;
      mime_type: string;
      sha256: string;
      rating: number | null;
      usage: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      /** RFC 3339, UTC, with milliseconds */
      usage_at: string | null;
      collections: number[];
      tag_options: Shape25[];
      /** What machines suggest; accept or reject it with POST /v1/media/{id}/tag. Searches do not see it */
      suggested_tag_options: Shape37[];
      details: {
        [name: string]: unknown;
      };
      faces: Shape20[];
      focal: {
        x: number;
        y: number;
      } | null;
      /** Faces found */
      people_count: number;
      actions_count: number;
      warnings: string[];
      version: number;
      qualities: Shape14;
      images: {
        /** Add parameters: ?w=600&h=818&f=face */
        url: string;
        square: string;
        portrait: string;
        landscape: string;
        story: string;
      } | null;
      /** Same as id @deprecated */
      ID: number;
      /** Same as created_at @deprecated */
      CreatedAt: string;
      /** Same as updated_at @deprecated */
      UpdatedAt: string;
      /** captured_at, or created_at where there is none @deprecated */
      date: string;
      /** Same as qualities.thumbnail.url @deprecated */
      thumbnail_url: string | null;
      /** Same as qualities.photographer.url @deprecated */
      original_url: string | null;
      /** See qualities @deprecated */
      files: {
        details: string;
        url: string;
      }[];
    };
    MediaHit: {
      id: number;
      media_type: 'photo' | 'video';
      status: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      failure: {
        code: string;
        reason: string;
      } | null;
      name: string;
      external_id: string | null;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      /** RFC 3339, UTC, with milliseconds */
      captured_at: string | null;
      /** The camera's clock, minutes east of UTC */
      captured_offset_minutes: number | null;
      width: number | null;
      height: number | null;
      orientation: 'landscape' | 'portrait' | 'square' | null;
      duration_ms: number | null;
      frame_rate: {
        num: number;
        den: number;
      } | null;
      video: {
        [name: string]: unknown;
      } | null;
      /** What ties a video to its match, so that the clock and the time of day are positions in it */
      timeline: Shape34 | null;
      bytes: number;
      mime_type: string;
      sha256: string;
      rating: number | null;
      usage: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      /** RFC 3339, UTC, with milliseconds */
      usage_at: string | null;
      collections: number[];
      tag_options: Shape25[];
      /** What machines suggest; accept or reject it with POST /v1/media/{id}/tag. Searches do not see it */
      suggested_tag_options: Shape37[];
      details?: {
        [name: string]: unknown;
      };
      faces: Shape20[];
      focal: {
        x: number;
        y: number;
      } | null;
      /** Faces found */
      people_count: number;
      actions_count: number;
      warnings: string[];
      version: number;
      qualities: Shape14;
      images: {
        /** Add parameters: ?w=600&h=818&f=face */
        url: string;
        square: string;
        portrait: string;
        landscape: string;
        story: string;
        [name: string]: string;
      } | null;
      /** Same as id @deprecated */
      ID: number;
      /** Same as created_at @deprecated */
      CreatedAt: string;
      /** Same as updated_at @deprecated */
      UpdatedAt: string;
      /** captured_at, or created_at where there is none @deprecated */
      date: string;
      /** Same as qualities.thumbnail.url @deprecated */
      thumbnail_url: string | null;
      /** Same as qualities.photographer.url @deprecated */
      original_url: string | null;
      /** See qualities @deprecated */
      files: {
        details: string;
        url: string;
      }[];
      exif?: {
        camera: {
          [name: string]: unknown;
        } | null;
        gps: {
          [name: string]: unknown;
        } | null;
        captured_offset_minutes: number | null;
      };
      highlights?: {
        /** HTML: escaped, with <mark> around the words */
        name?: string;
        details?: {
          [name: string]: string;
        };
        tag_options?: {
          id: number;
          /** HTML: escaped, with <mark> around the words */
          label: string;
        }[];
      };
      /** Of a search that asks for actions: those in the asset that meet one of its members action, by start, at most 100 */
      matched_actions?: Shape6[];
      matched_actions_total?: number;
      /** With include: actions */
      actions?: Shape6[];
    };
    UploadMetadata: {
      name?: string;
      external_id?: string | null;
      captured_at?: string | null;
      rating?: number | null;
      usage?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      usage_at?: string | null;
      tag_options?: number[];
      collections?: number[];
      /** Free fields by snake_case name; null removes one (JSON Merge Patch) */
      details?: Record<string, unknown>;
      /** Where tag_options come from */
      tag_source?: 'manual' | 'import';
    };
    Upload: {
      id: number;
      /** completed: media_id is its asset, which is processed on */
      state: 'uploading' | 'completed' | 'failed';
      name: string;
      /** Bytes that are safely here */
      offset: number;
      /** Bytes of the whole file */
      length: number;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** Without progress until then it is forgotten: 24 hours while it is uploading, 7 days afterwards */
      expires_at: string;
      media_id: number | null;
      /** The organization had these bytes already */
      duplicate: boolean | null;
      failure: {
        /** One of docs/errors.md */
        code: string;
        reason: string;
      } | null;
    };
    TagOption: {
      id: number;
      /** Same as id, for existing clients @deprecated */
      ID: number;
      type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
      category: string | null;
      label: string;
      full_name: string | null;
      aliases: string[];
      external_ids: {
        [name: string]: string;
      };
      status: 'active' | 'deactivated' | 'merged';
      merged_into: number | null;
      /** Assets outside the bin that carry it */
      media_count: number;
      image_url: string | null;
      relations: {
        clubs?: {
          club: number;
          shirt_number: number | null;
          position: string | null;
          from: string | null;
          to: string | null;
        }[];
        stadiums?: {
          stadium: number;
          from: string | null;
          to: string | null;
        }[];
        competitions?: {
          competition: number;
          season: number | null;
          from: string | null;
          to: string | null;
        }[];
        sponsors?: {
          sponsor: number;
          from: string | null;
          to: string | null;
        }[];
        parent?: number | null;
        competition?: number | null;
        season?: number | null;
        home?: number | null;
        away?: number | null;
        stadium?: number | null;
        round?: string | null;
        /** RFC 3339, UTC, with milliseconds */
        kick_off?: string | null;
        home_score?: number | null;
        away_score?: number | null;
        status?: 'scheduled' | 'live' | 'finished' | 'postponed' | 'abandoned' | null;
      };
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    TagHit: {
      id: number;
      /** Same as id, for existing clients @deprecated */
      ID: number;
      type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
      category: string | null;
      label: string;
      full_name: string | null;
      aliases: string[];
      media_count: number;
      status: string;
      matched_on: string;
    };
    Action: {
      id: number;
      media_id: number;
      type: number;
      /** Such as goal */
      type_key: string;
      type_label: string;
      label: string | null;
      /** Half open; start_ms = end_ms: a point */
      start_ms: number;
      end_ms: number;
      /** The moment itself */
      event_ms: number;
      /** SMPTE; null while the frame rate of the video is not known */
      start_tc: string | null;
      end_tc: string | null;
      frame_rate: {
        num: number;
        den: number;
        drop_frame: boolean;
      } | null;
      /** RFC 3339, UTC, with milliseconds */
      wallclock_at: string | null;
      period: number | null;
      /** As fed */
      clock_ms: number | null;
      /** As broadcast, from 1: 45+2 is minute 45, stoppage 2 */
      minute: number | null;
      stoppage: number | null;
      match: number | null;
      match_label: string | null;
      clubs: {
        id: number;
        label: string;
        side: 'home' | 'away' | null;
      }[];
      players: {
        id: number;
        label: string;
        role: string | null;
        shirt: number | null;
      }[];
      outcome: string | null;
      /** 0..100, attack from left to right */
      x: number | null;
      y: number | null;
      end_x: number | null;
      end_y: number | null;
      tag_options: Shape51[];
      details: {
        [name: string]: unknown;
      };
      source: string;
      source_ref: string | null;
      source_version: number | null;
      confidence: number | null;
      status: 'draft' | 'confirmed' | 'disputed' | 'retracted';
      parent_id: number | null;
      version: number;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      /** Name of the API key */
      created_by: string | null;
      updated_by: string | null;
      /** Every video that shows it, its own first */
      angles: Shape27[];
      /** Where a clip begins: start_ms, or for a point the lead of its type before it */
      in_ms: number;
      out_ms: number;
      /** The compressed tier from in to out; null while there is none */
      play_url: string | null;
      /** POST makes the clip */
      clip_url: string;
      poster_url: string | null;
    };
    WrittenAction: {
      id: number;
      media_id: number;
      type: number;
      /** Such as goal */
      type_key: string;
      type_label: string;
      label: string | null;
      /** Half open; start_ms = end_ms: a point */
      start_ms: number;
      end_ms: number;
      /** The moment itself */
      event_ms: number;
      /** SMPTE; null while the frame rate of the video is not known */
      start_tc: string | null;
      end_tc: string | null;
      frame_rate: {
        num: number;
        den: number;
        drop_frame: boolean;
      } | null;
      /** RFC 3339, UTC, with milliseconds */
      wallclock_at: string | null;
      period: number | null;
      /** As fed */
      clock_ms: number | null;
      /** As broadcast, from 1: 45+2 is minute 45, stoppage 2 */
      minute: number | null;
      stoppage: number | null;
      match: number | null;
      match_label: string | null;
      clubs: {
        id: number;
        label: string;
        side: 'home' | 'away' | null;
      }[];
      players: {
        id: number;
        label: string;
        role: string | null;
        shirt: number | null;
      }[];
      outcome: string | null;
      /** 0..100, attack from left to right */
      x: number | null;
      y: number | null;
      end_x: number | null;
      end_y: number | null;
      tag_options: Shape51[];
      details: {
        [name: string]: unknown;
      };
      source: string;
      source_ref: string | null;
      source_version: number | null;
      confidence: number | null;
      status: 'draft' | 'confirmed' | 'disputed' | 'retracted';
      parent_id: number | null;
      version: number;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      /** Name of the API key */
      created_by: string | null;
      updated_by: string | null;
      /** Every video that shows it, its own first */
      angles: Shape27[];
      /** Where a clip begins: start_ms, or for a point the lead of its type before it */
      in_ms: number;
      out_ms: number;
      /** The compressed tier from in to out; null while there is none */
      play_url: string | null;
      /** POST makes the clip */
      clip_url: string;
      poster_url: string | null;
      /** Of its item, from 0 */
      index: number;
      /** unchanged: the same content again. stale: a newer source_version is stored; nothing was changed */
      result: 'created' | 'updated' | 'unchanged' | 'stale';
    };
    ApiKey: {
      id: number;
      /** The visible part of the key */
      prefix: string;
      name: string;
      scopes: ('media.read' | 'media.write' | 'tags.write' | 'actions.write' | 'delivery.run' | 'admin')[];
      cidrs: string[];
      requests_per_second: number;
      burst: number;
      /** RFC 3339, UTC, with milliseconds */
      expires_at: string | null;
      /** RFC 3339, UTC, with milliseconds */
      revoked_at: string | null;
      /** RFC 3339, UTC, with milliseconds */
      last_used_at: string | null;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
    };
    Clip: {
      id: number;
      kind: 'clip' | 'reel';
      state: 'queued' | 'running' | 'ready' | 'failed' | 'cancelled';
      /** 0 to 1 */
      progress: number;
      name: string;
      segments: {
        media_id: number;
        action_id: number | null;
        in_ms: number;
        out_ms: number;
        event_ms: number;
        /** When the first frame begins in the video; null until the clip is ready */
        cut_in_ms: number | null;
        /** When the last frame ends in the video */
        cut_out_ms: number | null;
        /** Where the segment begins in the clip */
        at_ms: number | null;
      }[];
      aspect: 'original' | '16:9' | '1:1' | '9:16';
      height: number | null;
      output: 'download' | 'asset';
      /** MP4, signed, good until expires_at; null until it is ready, and for assets */
      url: string | null;
      /** JPEG of the moment of the first segment */
      poster_url: string | null;
      /** The asset that the clip became */
      media_id: number | null;
      file: {
        width: number;
        height: number;
        duration_ms: number;
        frames: number;
        bytes: number;
        sha256: string;
        /** copy: the coded frames of the source, untouched */
        method: 'copy' | 'encode';
      } | null;
      failure: {
        code: string;
        reason: string;
      } | null;
      /** Name of the API key */
      created_by: string;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      /** RFC 3339, UTC, with milliseconds */
      expires_at: string | null;
      version: number;
    };
    Collection: {
      id: number;
      name: string;
      media_count: number;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    DetailField: {
      id: number;
      key: string;
      label: string;
      /** text; number; date (YYYY-MM-DD, or an RFC 3339 time, kept in UTC); choice (one of choices); list (texts, of choices where there are any) */
      type: 'text' | 'number' | 'date' | 'choice' | 'list';
      /** choice: the values; list: what its texts are taken from, empty = any text */
      choices: string[];
      /** Filters may test it. Words in its texts are found either way */
      searchable: boolean;
      position: number;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    Destination: {
      id: number;
      name: string;
      kind: string;
      config: {
        [name: string]: unknown;
      };
      has_secrets: boolean;
      path_template: string;
      collision: 'overwrite' | 'skip_same' | 'suffix' | 'fail';
      qualities: ('photographer' | 'compressed' | 'thumbnail')[];
      sidecar: 'none' | 'json' | 'xmp';
      embed_metadata: boolean;
      concurrency: number;
      /** As of the last verification, or of a delivery that failed */
      status: 'unverified' | 'ok' | 'failed';
      /** Why the status is failed */
      failure: {
        code: string;
        reason: string;
      } | null;
      /** RFC 3339, UTC, with milliseconds */
      last_verified_at: string | null;
      bandwidth_limit: number | null;
      /** When deliveries may start. What runs when it closes may finish */
      window: Shape30 | null;
      paused: boolean;
      rendition: {
        kind: 'image' | 'clip';
        params?: string;
        clip_id?: number;
      } | null;
      /** open: the target failed several times in a row, so nothing starts before retry_at; half_open: one delivery finds out whether it answers again */
      circuit: 'closed' | 'open' | 'half_open';
      /** RFC 3339, UTC, with milliseconds */
      retry_at: string | null;
      /** Why nothing starts now */
      on_hold: {
        reason: 'paused' | 'window' | 'circuit';
        /** null: until somebody changes it */
        until: string | null;
      } | null;
      health: {
        /** Tries that failed since one arrived */
        consecutive_failures: number;
        /** RFC 3339, UTC, with milliseconds */
        last_success_at: string | null;
        last_error: {
          /** RFC 3339, UTC, with milliseconds */
          at: string;
          code: string;
          reason: string;
        } | null;
        queued: number;
        running: number;
        /** Of the last 1,000 deliveries at most */
        last_hour: {
          succeeded: number;
          failed: number;
          bytes: number;
          /** Median time of a try that arrived */
          p50_ms: number | null;
          /** Of one delivery; several run at a time */
          bytes_per_second: number | null;
        };
      };
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    Delivery: {
      /** null in a dry run */
      id: number | null;
      destination_id: number;
      /** Names the request that made it */
      batch: string | null;
      media_id: number;
      quality: 'photographer' | 'compressed' | 'thumbnail' | null;
      /** What is delivered in place of a quality */
      rendition: {
        kind: 'image' | 'clip';
        params?: string;
        clip_id?: number;
      } | null;
      state: 'queued' | 'running' | 'succeeded' | 'failed' | 'exhausted' | 'cancelled' | 'skipped';
      path: string;
      bytes: number;
      sha256: string | null;
      /** 0 to 1 */
      progress: number;
      attempts: {
        /** RFC 3339, UTC, with milliseconds */
        started_at: string;
        /** RFC 3339, UTC, with milliseconds */
        ended_at: string;
        error_code: string | null;
        error: string | null;
        /** Bytes that the target had when the try ended */
        bytes: number;
      }[];
      /** RFC 3339, UTC, with milliseconds */
      next_attempt_at: string | null;
      /** Why a queued one does not start now; null: it is about to, or behind others */
      waiting_for: 'retry' | 'clip' | 'paused' | 'window' | 'circuit' | null;
      receipt: {
        path: string;
        bytes: number;
        sha256: string;
        /** checksum: the target said the right one; read_back: the bytes were read there and hashed */
        verified: 'checksum' | 'read_back' | 'accepted';
        etag?: string;
        version?: string;
        checksum?: string;
        sidecar_path?: string;
        metadata_embedded?: boolean;
        /** RFC 3339, UTC, with milliseconds */
        finished_at: string;
      } | null;
      /** Of the last try, or why it was skipped */
      failure: {
        code: string;
        reason: string;
      } | null;
      /** What the request says in place of its destination */
      settings: {
        /** In place of that of the destination */
        collision?: 'overwrite' | 'skip_same' | 'suffix' | 'fail';
        /** In place of that of the destination */
        sidecar?: 'none' | 'json' | 'xmp';
        /** In place of that of the destination */
        embed_metadata?: boolean;
      } | null;
      /** Name of the API key, or of the rule */
      created_by: string | null;
      /** Of the rule that asked for it */
      rule_id: number | null;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string | null;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string | null;
      /** RFC 3339, UTC, with milliseconds */
      finished_at: string | null;
      version: number;
    };
    DeliveryBatch: {
      batch: string;
      destination_id: number;
      /** Files */
      total: number;
      states: {
        queued: number;
        running: number;
        succeeded: number;
        failed: number;
        exhausted: number;
        cancelled: number;
        skipped: number;
      };
      /** Of what waits, runs or has arrived; pictures count when they are made */
      bytes_total: number;
      bytes_done: number;
      /** 0 to 1, by bytes where they are known */
      progress: number;
      created_by: string;
      rule_id: number | null;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** null while one waits or runs */
      finished_at: string | null;
    };
    Operation: {
      id: number;
      kind: 'media.bulk' | 'media.import';
      state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
      total: number;
      updated: number;
      unchanged: number;
      failed: number;
      dry_run: boolean;
      /** New assets of an import */
      created: number;
      /** created + updated + unchanged + failed */
      done: number;
      /** Why the operation as a whole has failed */
      failure: string | null;
      /** The first 1,000 assets that failed; not in lists */
      errors?: {
        /** The asset; of an import once there is one */
        id?: number;
        /** Of an import; without its query once it is done */
        url?: string;
        /** One of docs/errors.md */
        code: string;
        detail: string;
      }[];
      /** Name of the API key */
      created_by: string;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      started_at: string | null;
      /** RFC 3339, UTC, with milliseconds */
      finished_at: string | null;
      version: number;
    };
    Rule: {
      id: number;
      name: string;
      enabled: boolean;
      /** paused: it ran on one object too often; broken: something that it needs is gone. Neither runs */
      status: 'active' | 'disabled' | 'paused' | 'broken';
      /** Why it is paused or broken */
      failure: {
        code: string;
        reason: string;
        /** RFC 3339, UTC, with milliseconds */
        at: string | null;
      } | null;
      on: (
        | 'media.created'
        | 'media.ready'
        | 'media.updated'
        | 'media.tags_changed'
        | 'media.restored'
        | 'action.created'
        | 'action.updated'
        | 'clip.ready'
      )[];
      filter: {
        [name: string]: unknown;
      };
      then: {
        [name: string]: unknown;
      }[];
      /** Runs */
      matched: number;
      /** Runs of which not everything was done */
      failed: number;
      /** RFC 3339, UTC, with milliseconds */
      last_run_at: string | null;
      /** Of the last run of which not everything was done */
      last_error: {
        code: string;
        reason: string;
        /** RFC 3339, UTC, with milliseconds */
        at: string | null;
      } | null;
      /** Name of the API key */
      created_by: string;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    RuleRun: {
      id: number;
      rule_id: number;
      rule_version: number;
      event: {
        /** As in GET /v1/event */
        id: number;
        type:
          | 'media.created'
          | 'media.ready'
          | 'media.updated'
          | 'media.tags_changed'
          | 'media.restored'
          | 'action.created'
          | 'action.updated'
          | 'clip.ready';
      };
      /** Rules that led to the event; 0 when somebody did */
      depth: number;
      object: {
        kind: 'media' | 'action' | 'clip';
        id: number;
      };
      media_id: number;
      /** stopped: a step was skipped, and those behind it were not done */
      state: 'succeeded' | 'stopped' | 'failed';
      /** Why not everything was done */
      failure: {
        code: string;
        reason: string;
      } | null;
      steps: Shape10[];
      /** Of the write that it was part of */
      duration_ms: number;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
    };
    SavedSearch: {
      id: number;
      name: string;
      /** Filter and options of POST /v1/media/search */
      request: {
        [name: string]: unknown;
      };
      /** Records saved_search.matched in the change feed when assets begin to match; at most 50 searches do */
      notify: boolean;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    ImageKey: {
      id: number;
      /** Names the key in URLs */
      kid: string;
      name: string;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      revoked_at: string | null;
    };
    ImagePreset: {
      id: number;
      name: string;
      parameters: {
        [name: string]: string;
      };
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    Watermark: {
      id: number;
      name: string;
      /** Centre, or towards a side or corner by compass. Default se */
      position: 'center' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';
      opacity: number;
      scale: number;
      margin: number;
      width: number;
      height: number;
      bytes: number;
      mime_type: string;
      sha256: string;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    Webhook: {
      id: number;
      name: string;
      url: string;
      types: string[];
      concurrency: number;
      status: 'active' | 'disabled';
      /** gone: it answered 410; failing: no try has succeeded for 5 days; asked: by a request */
      disabled_reason: 'gone' | 'failing' | 'asked' | null;
      /** RFC 3339, UTC, with milliseconds */
      disabled_at: string | null;
      /** Since when no try has succeeded */
      failing_since: string | null;
      /** The event up to which messages are made */
      position: number;
      /** Until then the secret before the rotation signs too */
      previous_secret_until: string | null;
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      updated_at: string;
      version: number;
    };
    WebhookMessage: {
      id: number;
      webhook_id: number;
      /** The header webhook-id: the same at every try */
      message_id: string;
      event: {
        id: number;
        type: string;
      };
      /** failed: after 10 tries; it can be replayed */
      state: 'pending' | 'delivered' | 'failed';
      /** Since it was made or replayed */
      tries: number;
      /** RFC 3339, UTC, with milliseconds */
      next_attempt_at: string | null;
      /** The last 20 */
      attempts: {
        /** RFC 3339, UTC, with milliseconds */
        started_at: string;
        duration_ms: number;
        status_code: number | null;
        /** Such as status, timeout, unreachable or address_refused */
        error_code: string | null;
        error: string | null;
        /** The beginning of what was answered */
        excerpt: string | null;
      }[];
      /** RFC 3339, UTC, with milliseconds */
      created_at: string;
      /** RFC 3339, UTC, with milliseconds */
      finished_at: string | null;
    };
  };
};

type Shape1 = {
  type?: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
  label?: string;
  category?: string | null;
  full_name?: string | null;
  aliases?: string[];
  /** By source, such as {"opta": "p123"}; null removes one */
  external_ids?: {
    [name: string]: string | null;
  };
  status?: 'active' | 'deactivated';
  image_url?: string | null;
  /** player: clubs (with shirt_number), sponsors; club: stadiums, competitions, parent (of a women's, youth or reserve side); sponsor: clubs, competitions; match: competition, season, home, away, stadium, round, kick_off, home_score, away_score, status. from and to are dates, both included; null or absent: open */
  relations?: Shape4;
};

type Shape2 = {
  /** ID of an action type (a tag option of category `action type`), or its key such as goal */
  type?: number | string;
  label?: string | null;
  /** Position in the video in ms */
  start_ms?: number;
  /** Position in the video in ms */
  end_ms?: number;
  /** Position in the video in ms */
  event_ms?: number;
  start_tc?: string;
  end_tc?: string;
  wallclock_at?: string | null;
  period?: number | null;
  /** Match clock in ms, running on: the second half of a football match begins at 2700000 */
  clock_ms?: number | null;
  /** Default: the match of the video, where it carries one */
  match?:
    | number
    | {
        source: string;
        id: string;
      }
    | null;
  clubs?: {
    id:
      | number
      | {
          source: string;
          id: string;
        };
    side?: 'home' | 'away' | null;
  }[];
  players?: {
    id:
      | number
      | {
          source: string;
          id: string;
        };
    role?: string | null;
    shirt?: number | null;
  }[];
  tag_options?: (
    | number
    | {
        source: string;
        id: string;
      }
  )[];
  outcome?: string | null;
  x?: number | null;
  y?: number | null;
  end_x?: number | null;
  end_y?: number | null;
  /** Free fields by snake_case name */
  details?: Record<string, unknown>;
  confidence?: number | null;
  status?: 'draft' | 'confirmed' | 'disputed' | 'retracted';
  parent_id?: number | null;
  source?: string;
  source_ref?: string | null;
  source_version?: number | null;
};

type Shape3 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      runs: {
        event: {
          id: number;
          type: string;
          /** RFC 3339, UTC, with milliseconds */
          created_at: string;
        } | null;
        object: {
          kind: 'media' | 'action' | 'clip';
          id: number;
        };
        media_id: number;
        /** stopped: a step was skipped, and those behind it were not done */
        state: 'succeeded' | 'stopped' | 'failed';
        /** Why not everything was done */
        failure: {
          code: string;
          reason: string;
        } | null;
        steps: Shape10[];
      }[];
      /** Events of the rule's types, or assets and actions, that were looked at */
      looked: number;
      next_cursor: string | null;
    };
  };
};

type Shape4 = {
  clubs?: {
    club:
      | number
      | {
          source: string;
          id: string;
        };
    shirt_number?: number | null;
    position?: string | null;
    from?: string | null;
    to?: string | null;
  }[];
  stadiums?: {
    stadium:
      | number
      | {
          source: string;
          id: string;
        };
    from?: string | null;
    to?: string | null;
  }[];
  competitions?: {
    competition:
      | number
      | {
          source: string;
          id: string;
        };
    season?:
      | number
      | {
          source: string;
          id: string;
        }
      | null;
    from?: string | null;
    to?: string | null;
  }[];
  sponsors?: {
    sponsor:
      | number
      | {
          source: string;
          id: string;
        };
    from?: string | null;
    to?: string | null;
  }[];
  parent?:
    | number
    | {
        source: string;
        id: string;
      }
    | null;
  competition?:
    | number
    | {
        source: string;
        id: string;
      }
    | null;
  season?:
    | number
    | {
        source: string;
        id: string;
      }
    | null;
  home?:
    | number
    | {
        source: string;
        id: string;
      }
    | null;
  away?:
    | number
    | {
        source: string;
        id: string;
      }
    | null;
  stadium?:
    | number
    | {
        source: string;
        id: string;
      }
    | null;
  round?: string | null;
  kick_off?: string | null;
  home_score?: number | null;
  away_score?: number | null;
  status?: 'scheduled' | 'live' | 'finished' | 'postponed' | 'abandoned' | null;
};

type Shape5 =
  | Shape19
  | {
      /** details.<key>: a detail field of type choice or list */
      field: Shape19;
      /** Default 30, of times 1000: the largest counts, of times the newest */
      limit?: number;
      /** Counts without the filter's tests of this field that must hold by themselves (at the root and within all); for `tag` those of tag_options, for `action.type` and `action.player` those within the first `action` */
      disjunctive?: boolean;
      /** Of times only, in UTC; a week begins on Monday. Default month */
      interval?: 'day' | 'week' | 'month' | 'year';
    };

type Shape6 = {
  id: number;
  type: number;
  /** Such as goal */
  type_key: string;
  label: string | null;
  /** Half open; start_ms = end_ms: a point */
  start_ms: number;
  end_ms: number;
  /** The moment itself */
  event_ms: number;
  /** Where a clip begins: start_ms, or for a point the lead of its type before it */
  in_ms: number;
  out_ms: number;
  /** SMPTE; null while the frame rate of the video is not known */
  start_tc: string | null;
  end_tc: string | null;
  /** As broadcast, from 1: 45+2 is minute 45, stoppage 2 */
  minute: number | null;
  stoppage: number | null;
  period: number | null;
  players: {
    id: number;
    label: string;
    role: string | null;
    shirt: number | null;
  }[];
  clubs: {
    id: number;
    label: string;
    side: 'home' | 'away' | null;
  }[];
  outcome: string | null;
  status: 'draft' | 'confirmed' | 'disputed' | 'retracted';
  /** The compressed tier from in to out; null while there is none */
  play_url: string | null;
};

type Shape7 =
  | 'uploading'
  | 'processing'
  | 'ready'
  | 'failed'
  | 'archived'
  | 'deleted'
  | ('uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted')[]
  | {
      eq?: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      ne?: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      in?: ('uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted')[];
      gt?: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      gte?: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      lt?: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      lte?: 'uploading' | 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
      exists?: boolean;
    };

type Shape8 = {
  name: string;
  p?: string | number;
  w?: string | number;
  h?: string | number;
  dpr?: string | number;
  fit?: string | number;
  up?: string | number;
  t?: string | number;
  f?: string | number;
  g?: string | number;
  z?: string | number;
  pad?: string | number;
  face?: string | number;
  rect?: string | number;
  rot?: string | number;
  flip?: string | number;
  trim?: string | number;
  bg?: string | number;
  blur?: string | number;
  sharp?: string | number;
  redact?: string | number;
  wm?: string | number;
  fmt?: string | number;
  output?: string | number;
  q?: string | number;
  maxbytes?: string | number;
  anim?: string | number;
  meta?: string | number;
  dl?: string | number;
};

type Shape9 =
  | 'approved'
  | 'limited'
  | 'raw'
  | 'embargoed'
  | 'expired'
  | ('approved' | 'limited' | 'raw' | 'embargoed' | 'expired')[]
  | {
      eq?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      ne?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      in?: ('approved' | 'limited' | 'raw' | 'embargoed' | 'expired')[];
      gt?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      gte?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      lt?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      lte?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
      exists?: boolean;
    };

type Shape10 = {
  do: string;
  /** unchanged: it was so already; skipped: not possible for this asset, and the run ends */
  status: 'done' | 'unchanged' | 'skipped' | 'failed';
  failure?: {
    code: string;
    reason: string;
  };
  deliveries?: {
    /** null in a dry run */
    id: number | null;
    quality: string | null;
    state: 'queued' | 'skipped' | 'failed';
    path: string;
    /** Why it was not queued */
    failure: {
      code: string;
      reason: string;
    } | null;
  }[];
  /** Those that were really added or removed */
  tag_option_ids?: number[];
  usage?: string;
  clip_id?: number;
};

type Shape11 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      media: components['schemas']['MediaHit'][];
      /** Exact, over all pages */
      total: number;
      next_cursor: string | null;
      /** By field: id and label of tag options and collections, value of everything else */
      facets?: Shape33;
      request_id: string;
      took_ms: number;
    };
  };
};

type Shape12 =
  | 'landscape'
  | 'portrait'
  | 'square'
  | ('landscape' | 'portrait' | 'square')[]
  | {
      eq?: 'landscape' | 'portrait' | 'square';
      ne?: 'landscape' | 'portrait' | 'square';
      in?: ('landscape' | 'portrait' | 'square')[];
      gt?: 'landscape' | 'portrait' | 'square';
      gte?: 'landscape' | 'portrait' | 'square';
      lt?: 'landscape' | 'portrait' | 'square';
      lte?: 'landscape' | 'portrait' | 'square';
      exists?: boolean;
    };

type Shape13 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      /** For GET /v1/delivery?batch=; null in a dry run */
      batch: string | null;
      /** Files */
      total: number;
      queued: number;
      skipped: number;
      /** Whose path another file of this request has */
      failed: number;
      dry_run: boolean;
      /** The first 200 */
      deliveries: components['schemas']['Delivery'][];
    };
  };
};

type Shape14 = {
  photographer: {
    url: string;
    width: number | null;
    height: number | null;
    bytes: number;
    mime_type: string;
  } | null;
  compressed: {
    url: string;
    width: number | null;
    height: number | null;
    bytes: number;
    mime_type: string;
  } | null;
  thumbnail: {
    url: string;
    width: number | null;
    height: number | null;
    bytes: number;
    mime_type: string;
  } | null;
};

type Shape15 = {
  [name: string]:
    | string
    | number
    | (string | number)[]
    | {
        eq?: string | number;
        ne?: string | number;
        in?: (string | number)[];
        gt?: string | number;
        gte?: string | number;
        lt?: string | number;
        lte?: string | number;
        contains?: string;
        all?: (string | number)[];
        any?: (string | number)[];
        none?: (string | number)[];
        exists?: boolean;
      };
};

type Shape16 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      image_settings: {
        /** open: anyone may ask for any image; presets: anyone for presets (p), with at most dpr, fmt and dl; signed: signed URLs only. URLs that the API answers open in every mode */
        mode: 'open' | 'presets' | 'signed';
        version: number;
      };
    };
  };
};

type Shape17 = {
  query?: never;
  header?: {
    /** The first 2xx answer is kept for 24 h and answered again to the same request */ 'Idempotency-Key'?: string;
    /** Of an earlier answer: sees the library at that version or a later one, on whatever node */
    'X-Library-Version'?: string;
  };
  path?: never;
  cookie?: never;
};

type Shape18 =
  | 'draft'
  | 'confirmed'
  | 'disputed'
  | 'retracted'
  | ('draft' | 'confirmed' | 'disputed' | 'retracted')[]
  | {
      eq?: 'draft' | 'confirmed' | 'disputed' | 'retracted';
      ne?: 'draft' | 'confirmed' | 'disputed' | 'retracted';
      in?: ('draft' | 'confirmed' | 'disputed' | 'retracted')[];
      exists?: boolean;
    };

type Shape19 =
  | 'tag_options'
  | 'player'
  | 'club'
  | 'stadium'
  | 'competition'
  | 'season'
  | 'match'
  | 'sponsor'
  | 'tag'
  | 'collection'
  | 'media_type'
  | 'orientation'
  | 'usage'
  | 'status'
  | 'rating'
  | 'people_count'
  | 'captured_at'
  | 'created_at'
  | 'updated_at'
  | 'action.type'
  | 'action.player'
  | string;

type Shape20 = {
  x: number;
  y: number;
  w: number;
  h: number;
  score: number;
  tag_option_id?: number;
  /** Who it may be, by the faces that are linked to players; only where /v1/face-settings says so */
  suggestion?: {
    tag_option_id: number;
    /** 0 (the same picture) to 0.5 */
    distance: number;
  };
};

type Shape21 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      actions: components['schemas']['WrittenAction'][];
      errors: {
        /** Of the item, from 0 */
        index: number;
        code: string;
        detail: string;
        errors: {
          pointer: string;
          code: string;
          detail: string;
        }[];
      }[];
    };
  };
};

type Shape22 = {
  /** The asset; of an import once there is one */
  id?: number;
  /** Of an import; without its query once it is done */
  url?: string;
  status: 'created' | 'updated' | 'unchanged' | 'failed' | 'waiting';
  error?: {
    /** One of docs/errors.md */
    code: string;
    detail: string;
  };
};

type Shape23 = {
  query?: never;
  header?: {
    /** The first 2xx answer is kept for 24 h and answered again to the same request */ 'Idempotency-Key'?: string;
    /** wait=30: answer when it is ready or failed, after 30 s at most */
    Prefer?: string;
  };
  path?: never;
  cookie?: never;
};

type Shape24 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      paths: {
        media_id: number;
        quality: 'photographer' | 'compressed' | 'thumbnail' | null;
        path: string;
        /** Another file of this list has the path */
        collision: boolean;
      }[];
    };
  };
};

type Shape25 = {
  id: number;
  type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
  label: string;
  /** manual, import, metadata, implied (by a match), ai:<name> or feed:<name> */
  source: string;
  confidence: number | null;
};

type Shape26 =
  | 'photo'
  | 'video'
  | ('photo' | 'video')[]
  | {
      eq?: 'photo' | 'video';
      ne?: 'photo' | 'video';
      in?: ('photo' | 'video')[];
      gt?: 'photo' | 'video';
      gte?: 'photo' | 'video';
      lt?: 'photo' | 'video';
      lte?: 'photo' | 'video';
      exists?: boolean;
    };

type Shape27 = {
  media_id: number;
  /** Of the video's timeline */
  angle: string | null;
  start_ms: number;
  end_ms: number;
  event_ms: number;
  start_tc: string | null;
  /** Found through the time of day or the match clock, not given */
  derived: boolean;
};

type Shape28 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      face_settings: {
        /** Describe faces by numbers, compare them with those that are linked to players, and suggest players */
        suggestions: boolean;
      };
    };
  };
};

type Shape29 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      webhook: components['schemas']['Webhook'];
      /** whsec_...: shown here and nowhere else; null when the answer is replayed */
      secret: string | null;
    };
  };
};

type Shape30 = {
  /** On which it opens */
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  from: string;
  /** Not later than from: of the next day */
  to: string;
  /** IANA, such as Europe/Berlin */
  time_zone: string;
};

type Shape31 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      media: components['schemas']['Media'];
      /** The organization had these bytes already: this is the existing asset */
      duplicate: boolean;
    };
  };
};

type Shape32 = {
  query?: never;
  header?: {
    /** The first 2xx answer is kept for 24 h and answered again to the same request */ 'Idempotency-Key'?: string;
  };
  path: { id: number };
  cookie?: never;
};

type Shape33 = {
  [name: string]: {
    id?: number;
    /** Of tag options */
    type?: string;
    label?: string;
    /** Of times the beginning of the interval */
    value?: string | number;
    count: number;
  }[];
};

type Shape34 = {
  angle: string | null;
  /** RFC 3339, UTC, with milliseconds */
  started_at_wallclock: string | null;
  start_tc: string | null;
  periods: {
    period: number;
    start_ms: number;
  }[];
};

type Shape35 = {
  query?: never;
  header?: {
    /** The first 2xx answer is kept for 24 h and answered again to the same request */ 'Idempotency-Key'?: string;
  };
  path?: never;
  cookie?: never;
};

type Shape36 = {
  kind: 'image';
  /** As in image URLs: w=1080&h=1920&f=face&fmt=jpeg. Without fmt JPEG */
  params?: string;
  /** Or an image preset of the organization */
  preset?: string;
};

type Shape37 = {
  id: number;
  type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
  label: string;
  source: string;
  confidence: number | null;
};

type Shape38 = {
  query?: never;
  header?: {
    /** ETag of the object as it was read; 412 when it has changed since */ 'If-Match'?: string;
  };
  path: { id: number };
  cookie?: never;
};

type Shape39 =
  | number
  | number[]
  | {
      eq?: number;
      ne?: number;
      in?: number[];
      gt?: number;
      gte?: number;
      lt?: number;
      lte?: number;
      exists?: boolean;
    };

type Shape40 =
  | string
  | string[]
  | {
      eq?: string;
      ne?: string;
      in?: string[];
      gt?: string;
      gte?: string;
      lt?: string;
      lte?: string;
      exists?: boolean;
    };

type Shape41 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      detail_field: components['schemas']['DetailField'];
    };
  };
};

type Shape42 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      image_preset: components['schemas']['ImagePreset'];
    };
  };
};

type Shape43 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      saved_search: components['schemas']['SavedSearch'];
    };
  };
};

type Shape44 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      destination: components['schemas']['Destination'];
    };
  };
};

type Shape45 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      collection: components['schemas']['Collection'];
    };
  };
};

type Shape46 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      tag_option: components['schemas']['TagOption'];
    };
  };
};

type Shape47 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      operation: components['schemas']['Operation'];
    };
  };
};

type Shape48 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      watermark: components['schemas']['Watermark'];
    };
  };
};

type Shape49 = {
  query?: never;
  header?: {
    /** Version of tus: 1.0.0 */ 'Tus-Resumable'?: string;
  };
  path: { id: number };
  cookie?: never;
};

type Shape50 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      delivery: components['schemas']['Delivery'];
    };
  };
};

type Shape51 = {
  id: number;
  type: 'player' | 'club' | 'stadium' | 'competition' | 'season' | 'match' | 'sponsor' | 'tag';
  label: string;
};

type Shape52 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      webhook: components['schemas']['Webhook'];
    };
  };
};

type Shape53 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      action: components['schemas']['Action'];
    };
  };
};

type Shape54 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      upload: components['schemas']['Upload'];
    };
  };
};

type Shape55 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      media: components['schemas']['Media'];
    };
  };
};

type Shape56 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      clip: components['schemas']['Clip'];
    };
  };
};

type Shape57 = {
  headers: { [name: string]: unknown };
  content: {
    'application/json': {
      rule: components['schemas']['Rule'];
    };
  };
};

type Shape58 = {
  headers: { [name: string]: unknown };
  content: {
    'application/problem+json': components['schemas']['Problem'];
  };
};
