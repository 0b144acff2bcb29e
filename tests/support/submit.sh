#!/bin/sh
# Takes a job script as a scheduler does: starts it apart, $TIMES times, and says a job number.
for _ in $(seq "${TIMES:-1}"); do
  nohup setsid sh "$1" >>"$1.out" 2>&1 &
  [ -z "$SUBMITTED" ] || echo "$!" >>"$SUBMITTED"
done
echo "$!"
