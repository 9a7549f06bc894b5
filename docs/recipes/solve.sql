-- Solve by pattern: sqlite3 bee.db ".param set :letters 'vctaoen'" ".read solve.sql"

-- The filter by tier matters for a database that was exported with more tiers.
SELECT word FROM words
WHERE tier IN ('core', 'likely') AND instr(word, substr(:letters, 1, 1)) AND word NOT GLOB '*[^' || :letters || ']*'
ORDER BY pangram DESC, length DESC, word;
