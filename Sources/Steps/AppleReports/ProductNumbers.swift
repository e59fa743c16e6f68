/// The product of each Apple ID: by the Sales and Financial reports, which have both, else by the
/// catalogue.
public struct ProductNumbers: Hashable, Sendable {
  private var lines: [String: [String: Int]] = [:]
  private var products: [String: String] = [:]

  /// The numbers of a catalogue; none without a catalogue.
  public init(catalogue: [String: String] = [:]) {
    products = catalogue
  }

  /// Adds lines with both an Apple ID and a product.
  ///
  /// - Parameters:
  ///   - appleID: Apple's number of a product.
  ///   - productID: The product.
  ///   - count: The number of lines with both.
  public mutating func add(appleID: String, productID: String, count: Int = 1) {
    lines[appleID, default: [:]][productID, default: 0] += count
    products[appleID] =
      lines[appleID]?.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// Whether an Apple ID is known to be a product's.
  public func names(_ productID: String) -> Bool { products.values.contains(productID) }

  /// The product of an Apple ID: the one that most lines name, the alphabetically first of equals.
  public func productID(_ appleID: String) -> String? { products[appleID] }
}
