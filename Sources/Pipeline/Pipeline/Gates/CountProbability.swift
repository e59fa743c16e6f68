internal import Glibc

/// Probabilities of counts, exact apart from floating-point rounding.
enum CountProbability {
  /// The probability of at most `successes` in independent trials (lower tail of the binomial
  /// distribution).
  ///
  /// Example: at most one six in 20 throws of a die → 0.130.
  ///
  /// The largest term is computed by logarithms, and the other terms from it, so that no term
  /// underflows.
  ///
  /// - Parameters:
  ///   - successes: The largest number of successes; not negative.
  ///   - probability: The probability of one success, above 0 and below 1.
  /// - Returns: The probability, from 0 to 1.
  static func atMost(_ successes: Int, of trials: Int, probability: Double) -> Double {
    guard successes < trials else { return 1 }
    let (n, k) = (Double(trials), Double(successes))
    let logarithm =
      lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(probability)
      + (n - k) * log1p(-probability)
    var term = 1.0
    var sum = 1.0
    for step in stride(from: successes, to: 0, by: -1) {
      // The ratio P(step - 1) / P(step). Above the mean, the terms grow first.
      term *= Double(step) * (1 - probability) / (Double(trials - step + 1) * probability)
      sum += term
      if term < sum * 1e-17 { break }
    }
    return min(1, exp(logarithm + log(sum)))
  }
}
