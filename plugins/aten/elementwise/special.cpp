// Special functions: those the dialect lacks, by fits and series good to float32.
#include "elementwise.hpp"

#include <limits>

namespace sixrung::aten {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979323846;

Value polynomial(Builder &b, Value x, std::initializer_list<double> coefficients) { // highest power first
  Value result;
  for (double c : coefficients)
    result = result ? b.add(b.mul(result, x), c) : b.constant(Scalar(c), x.dtype());
  return result;
}

// 1 - erf(x) loses everything for x beyond 3. A Chebyshev fit of erfc(z) exp(z^2) in t = 2 / (2 + z),
// z = |x|, is within 1.2e-7 relative of erfc everywhere: t exp(fit).
struct Tail {
  Value t, fit;
};
Tail tailOf(Builder &b, Value z) {
  Value t = b.divide(b.constant(Scalar(2.0), z.dtype()), b.add(z, 2.0));
  return {t, polynomial(b, t,
                        {0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806,
                         0.09678418, 0.37409196, 1.00002368, -1.26551223})};
}

} // namespace

Value erfc(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0)), z = b.abs(x);
  Tail fit = tailOf(b, z);
  Value tail = b.mul(fit.t, b.exp(b.sub(fit.fit, b.square(z))));
  // Near zero 1 - erf is exact to the last bit and the fit is not.
  Value far = b.where(b.less(x, 0.0), b.sub(b.constant(Scalar(2.0), x.dtype()), tail), tail);
  Value near = b.sub(b.constant(Scalar(1.0), x.dtype()), b.erf(x));
  return b.asResult(b.where(b.greater(z, 0.5), far, near));
}

// Giles' single precision approximation, with one Newton step on erf.
Value erfinv(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0));
  Value one = b.constant(Scalar(1.0), x.dtype());
  Value w = b.neg(b.log(b.mul(b.sub(one, x), b.add(one, x))));
  Value central = polynomial(b, b.sub(w, 2.5),
                             {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                              -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  Value outer = polynomial(b, b.sub(b.sqrt(w), 3.0),
                           {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                            -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  Value y = b.mul(b.where(b.less(w, 5.0), central, outer), x);
  Value step = b.divide(b.sub(b.erf(y), x), b.mul(b.exp(b.neg(b.square(y))), 1.1283791670955126));
  Value refined = b.where(b.less(w, 5.0), b.sub(y, step), y);
  Value edge = b.mul(x, kInf); // +-1 is +-infinity
  return b.asResult(b.where(b.equal(b.abs(x), 1.0), edge, refined));
}

// erfc(x) exp(x^2), without the exponential where x is positive.
Value erfcx(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0)), z = b.abs(x);
  Tail fit = tailOf(b, z);
  Value tail = b.mul(fit.t, b.exp(fit.fit)), grows = b.exp(b.square(x));
  Value far = b.where(b.less(x, 0.0), b.sub(b.mul(grows, 2.0), tail), tail);
  Value near = b.mul(b.sub(b.constant(Scalar(1.0), x.dtype()), b.erf(x)), grows);
  return b.asResult(b.where(b.greater(z, 0.5), far, near));
}

// Modified Bessel functions of the first kind: fits of I(x) in x^2 up to 4, of I(x) exp(-x) sqrt(x) in 1 / x
// beyond.
Value besselI(Node n, Builder &b, std::string_view name) {
  bool first = name.starts_with("i1"), scaled = name.ends_with("e");
  Value x = precise(n, b, n.tensor(0)), z = b.abs(x);
  Value near = b.sub(b.mul(b.square(x), 0.125), 1.0),
        far = b.sub(b.divide(b.constant(Scalar(8.0), z.dtype()), z), 1.0);
  if (first) {
    near = polynomial(b, near,
                      {3.92892847e-07, 1.13063239e-05, 0.000245223921, 0.00384762606, 0.0409286373,
                       0.268657662, 0.92875889, 1.19741655});
    near = b.mul(near, x);
    far = polynomial(b, far,
                     {-5.74601992e-06, 8.28037866e-06, 3.38819043e-05, -3.98306919e-06, -9.25001906e-05,
                      -0.000238343656, -0.00112592793, -0.0204862167, 0.37941225});
    far = b.where(b.less(x, 0.0), b.neg(far), far);
  } else {
    near = polynomial(b, near,
                      {1.96417359e-07, 6.45923123e-06, 0.000163482672, 0.00307810352, 0.0409286373,
                       0.358210215, 1.85751778, 4.7896662, 4.25235088});
    far = polynomial(b, far,
                     {5.70424591e-06, -6.77237366e-06, -3.17447194e-05, 1.92268596e-07, 7.72797145e-05,
                      0.000188121667, 0.000735486332, 0.00734921642, 0.405686345});
  }
  far = b.divide(far, b.sqrt(z));
  if (scaled)
    near = b.mul(near, b.exp(b.neg(z)));
  else
    far = b.mul(far, b.exp(z));
  return b.asResult(b.where(b.greater(z, 4.0), far, near));
}

namespace {
// log(gamma(x)) for x >= 0: (x - 1)(x - 2) times a fit on [1, 3], from x + 1 below 1, Stirling's series
// above 3.
Value logGammaOfPositive(Builder &b, Value x) {
  Value one = b.constant(Scalar(1.0), x.dtype()), below = b.less(x, 1.0);
  Value u = b.where(below, b.sub(x, 1.0), b.sub(x, 2.0));
  Value fit = polynomial(b, u,
                         {1.35657045e-05, -3.5862177e-05, 3.60422658e-05, -5.95993021e-05, 0.000179648154,
                          -0.000419109695, 0.000918043359, -0.00210457437, 0.00499791034, -0.0123845825,
                          0.0329650646, -0.10031729, 0.422784334});
  Value near = b.mul(b.mul(b.where(below, x, b.sub(x, 1.0)), u), fit);
  near = b.where(below, b.sub(near, b.log(x)), near);
  Value inverse = b.divide(one, x);
  Value rest =
      b.mul(inverse, polynomial(b, b.square(inverse), {-1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12}));
  Value far = b.add(b.mul(b.sub(x, 0.5), b.sub(b.log(x), 1.0)), b.add(rest, 0.41893853320467274));
  return b.where(b.greater(x, 3.0), far, near);
}
} // namespace

// Below 0 by reflection; infinite at whole numbers from 0 down.
Value lgamma(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0)), p = b.abs(x), positive = logGammaOfPositive(b, p);
  Value r = b.sub(p, b.floor(p));
  r = b.minimum(r, b.sub(b.constant(Scalar(1.0), x.dtype()), r));
  Value around = b.add(b.log(b.sin(b.mul(r, kPi))), b.log(p));
  Value reflected = b.sub(b.sub(b.constant(Scalar(1.1447298858494002), x.dtype()), around), positive);
  Value result = b.where(b.less(x, 0.0), reflected, positive);
  return b.asResult(b.where(b.equal(p, kInf), kInf, result));
}

// Six steps up, then the asymptotic series; below 1/2 by reflection.
Value digamma(Node n, Builder &b) {
  Value x = precise(n, b, n.tensor(0)), one = b.constant(Scalar(1.0), x.dtype());
  Value low = b.less(x, 0.5), y = b.where(low, b.sub(one, x), x), steps;
  for (int i = 0; i < 6; ++i) {
    Value step = b.divide(one, i ? b.add(y, static_cast<double>(i)) : y);
    steps = steps ? b.add(steps, step) : step;
  }
  Value z = b.add(y, 6.0), inverse = b.divide(one, z), square = b.square(inverse);
  Value series = b.mul(square, polynomial(b, square, {-1.0 / 252, 1.0 / 120, -1.0 / 12}));
  Value high = b.sub(b.add(b.sub(b.log(z), b.mul(inverse, 0.5)), series), steps);
  Value r = b.where(b.less(b.abs(x), 0.5), x, b.sub(x, b.round(x)));
  Value reflected = b.sub(high, b.divide(b.constant(Scalar(kPi), x.dtype()), b.tan(b.mul(r, kPi))));
  Value pole = b.logicalAnd(b.less(x, 0.0), b.equal(r, 0.0));
  return b.asResult(b.where(pole, std::numeric_limits<double>::quiet_NaN(), b.where(low, reflected, high)));
}

} // namespace sixrung::aten
