-- Solve by letter mask, with 64 look-ups in an index: sqlite3 bee.db ".param set :letters 'vctaoen'" ".read subsets.sql"

WITH RECURSIVE
  bits (at, bit) AS (
    SELECT 1, 1 << (unicode(:letters) - 97)
    UNION ALL
    SELECT at + 1, 1 << (unicode(substr(:letters, at + 1)) - 97) FROM bits WHERE at < 7
  ),
  subsets (at, mask) AS (
    SELECT at, bit FROM bits WHERE at = 1
    UNION ALL
    SELECT bits.at, mask | bit * taken
    FROM subsets JOIN bits ON bits.at = subsets.at + 1 JOIN (SELECT 0 AS taken UNION SELECT 1)
  )
SELECT word FROM subsets CROSS JOIN words USING (mask)
WHERE at = 7 AND tier IN ('core', 'likely')
ORDER BY word;
