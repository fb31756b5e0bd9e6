import type { SqliteSchema } from "../../../core/sqlite-schema.ts";

/** The tables of a store of ACIs. */
export const storeSchema: SqliteSchema = {
  // "fraci"
  applicationId: 0x66726163,
  subject: "image store",
  writer: "fairlead image pull",
  migrations: [
    `CREATE TABLE image (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     manifest BLOB NOT NULL,
     image_bytes INTEGER NOT NULL,
     archive_bytes INTEGER NOT NULL,
     held INTEGER NOT NULL DEFAULT 0,
     used_ms INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE tag (
     name TEXT NOT NULL,
     tag TEXT NOT NULL,
     image TEXT NOT NULL REFERENCES image (id),
     PRIMARY KEY (name, tag)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX tag_image ON tag (image);
   CREATE TABLE dependency (
     image TEXT NOT NULL REFERENCES image (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     needs TEXT NOT NULL REFERENCES image (id),
     PRIMARY KEY (image, position)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX dependency_needs ON dependency (needs);`,
  ],
};
