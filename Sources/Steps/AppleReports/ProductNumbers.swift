/// The product id of each Apple ID: from report lines with both ids, else from the catalogue.
///
/// For example, the lines of the Sales and the Financial report have both ids.
public struct ProductNumbers: Hashable, Sendable {
  private var lines: [String: [String: Int]] = [:]
  private var products: [String: String] = [:]

  /// Creates a table from a catalogue's product ids, keyed by Apple ID; empty without a catalogue.
  public init(catalogue: [String: String] = [:]) {
    products = catalogue
  }

  /// Adds lines that have both an Apple ID and a product id.
  public mutating func add(appleID: String, productID: String, count: Int = 1) {
    lines[appleID, default: [:]][productID, default: 0] += count
    products[appleID] =
      lines[appleID]?.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// Returns true if an Apple ID is known for a product id.
  public func names(_ productID: String) -> Bool { products.values.contains(productID) }

  /// The product ids with several Apple IDs: several apps of the vendor sell them.
  public var shared: Set<String> {
    var once: Set<String> = []
    return Set(products.values.filter { !once.insert($0).inserted })
  }

  /// The product id of an Apple ID; `nil` if unknown.
  ///
  /// If lines have different product ids, the id of most lines is used; in a tie, the first id in
  /// alphabetical order.
  public func productID(_ appleID: String) -> String? { products[appleID] }
}
