-- data/raw/captures.db: what came from the sources, and when, and the days in it. All times are UTC.
PRAGMA user_version = 2;

-- What came: each version of a page or file, unchanged. One that comes again unchanged keeps its row.
CREATE TABLE IF NOT EXISTS captures (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    name TEXT NOT NULL,           -- of the page or file
    url TEXT NOT NULL,            -- or the path of an imported file
    came_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,        -- when it last came, also unchanged
    sha256 TEXT NOT NULL,         -- of the bytes
    size INTEGER NOT NULL,        -- of the bytes
    compressed BLOB NOT NULL,     -- by zlib; sqlar_uncompress(compressed, size) of the shell of SQLite gives the bytes
    etag TEXT NOT NULL,           -- and last_modified: what the next request sends, to be told if nothing changed
    last_modified TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS captures_by_name ON captures (source, name);

-- The days in the captures: the last list that each source has of a date.
CREATE TABLE IF NOT EXISTS days (
    source TEXT NOT NULL,
    date TEXT NOT NULL,
    center TEXT NOT NULL,
    outer TEXT NOT NULL,
    answers TEXT NOT NULL,        -- separated by blanks
    refused TEXT NOT NULL,        -- the words that the source lists as refused
    sha256 TEXT NOT NULL,         -- of the bytes in which the list came last
    came_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,        -- when the list last came, also unchanged
    PRIMARY KEY (source, date)
);

-- The last outcome of each source: new, same, missing or failed.
CREATE TABLE IF NOT EXISTS outcomes (
    source TEXT PRIMARY KEY,
    date TEXT NOT NULL,           -- of the puzzle
    requested_at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL
);
