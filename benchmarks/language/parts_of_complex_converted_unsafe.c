/* Tests conversions between complex types, part by part. */
extern void reach_error(void);

static float _Complex half(void) { return 3.0f + 0.5if; }

int main(void) {
  _Complex int whole = 5 + 7i;
  float _Complex number = whole;
  _Complex int back = half();
  if (__real__ number != 5 || __imag__ number != 7 || __real__ back != 3 || __imag__ back == 0)
    reach_error();
  return 0;
}
