/** Says that a SQLite file is a ledger, whatever its name: "CsLg". */
export const applicationId = 0x43734c67;

/**
 * What makes a ledger of version n out of one of version n - 1 stands at n - 1. `PRAGMA user_version` holds the version.
 * A released migration is never edited. A new type or field of event is a new version too, even where no table changes:
 * an older Countersign must say NEWER, not CORRUPT.
 */
export const migrations: readonly string[] = [
  `
  PRAGMA application_id = ${applicationId};

  CREATE TABLE events (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    id         TEXT    NOT NULL UNIQUE,
    previous   TEXT,
    event      TEXT    NOT NULL,
    signatures TEXT    NOT NULL,
    hash       TEXT    NOT NULL
  ) STRICT;

  CREATE TABLE texts (
    digest TEXT PRIMARY KEY NOT NULL,
    kind   TEXT NOT NULL,
    text   TEXT NOT NULL
  ) STRICT;

  CREATE TRIGGER events_are_never_updated BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
  CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
  CREATE TRIGGER texts_are_never_updated BEFORE UPDATE ON texts BEGIN SELECT RAISE(ABORT, 'a text is named by its digest'); END;
  `,
  // The events "bypassed" and "enforced"; an approval may be `unseen`, and have a plan; the source "bodies" and its kinds.
  "",
  // The source "manifest" and the kind "claim".
  "",
  // The events "key-added" and "key-revoked"; what principals are offered (`principal`), and variants (`principals`).
  "",
];

export function newer(version: number): string {
  return `a newer Countersign wrote it (version ${version}; this one knows ${migrations.length})`;
}
