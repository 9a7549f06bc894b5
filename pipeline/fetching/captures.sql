-- data/raw/captures.db: what came from the sources, when, and with which outcome. All times are UTC. A checksum is the
-- CRC-32 of the columns before it, without id, each with a line end.
PRAGMA user_version = 1;

-- What came: the bytes of each page or file, once.
CREATE TABLE contents (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,      -- of the bytes before compression
    compressed BLOB NOT NULL    -- by zlib; sqlar_uncompress(compressed, size) of the shell of SQLite gives the bytes
);

-- When and from where it came. A page or file that comes again unchanged keeps its row, and one that changed gets a
-- new row, so the last row of a source and name is the current version.
CREATE TABLE captures (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    name TEXT NOT NULL,         -- of the page or file
    url TEXT NOT NULL,          -- or the path of an imported file
    came_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,      -- when it last came, also unchanged
    sha256 TEXT NOT NULL REFERENCES contents,
    etag TEXT NOT NULL,         -- and last_modified: what the next request sends, to be told if nothing changed
    last_modified TEXT NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX captures_by_name ON captures (source, name);

-- Every request for a day.
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    date TEXT NOT NULL,         -- of the puzzle
    requested_at TEXT NOT NULL,
    outcome TEXT NOT NULL,      -- new, same, missing, or why the page was refused
    detail TEXT NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX requests_by_day ON requests (source, date);

-- The days in some bytes, as a version of the parser read them. All rows can be deleted at any time.
CREATE TABLE days (
    sha256 TEXT NOT NULL REFERENCES contents,
    parser TEXT NOT NULL,       -- a digest of the code and of the versions that parse
    date TEXT NOT NULL,
    center TEXT NOT NULL,
    outer TEXT NOT NULL,
    answers TEXT NOT NULL,      -- separated by blanks
    refused TEXT NOT NULL,      -- the words that the source lists as refused
    checksum INTEGER NOT NULL,  -- also of the number of days in these bytes, before all columns
    PRIMARY KEY (sha256, parser, date)
);
