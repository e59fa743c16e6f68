/// The newest response about a chain in the exports.
///
/// A renewal is seen only if somebody asks Apple again: after the last look, the exports do not
/// tell whether the chain goes on. Example: a trial ended on May 31, and the last look on May 9
/// shows auto-renewal on; nobody knows whether it converted.
struct LastLook {
  /// The time of the response, Unix milliseconds.
  let at: Int64
  /// Whether the newest renewal state in the exports has auto-renewal off.
  let isRenewalOff: Bool

  /// Whether the exports show what followed the end of a chain's last row.
  func shows(whatFollowed end: Int64) -> Bool { at >= end || isRenewalOff }
}

extension Account {
  /// Finds the last look at a chain, given the positions of its rows.
  func lastLook(at chain: [Int]) -> LastLook {
    let seen = uploads.filter { !Set(visible(at: $0.at)).isDisjoint(with: chain) }
    let state = seen.filter { $0.form != .flat }.map(\.at).max().flatMap { newest in
      chain.first.flatMap { self.state(of: purchases[$0].originalID, at: newest) }
    }
    return LastLook(
      at: seen.map(\.at).max() ?? .min, isRenewalOff: state.map { !$0.willRenew } ?? false)
  }
}
